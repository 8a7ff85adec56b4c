import type { Brandport } from '@brandport/client';
import type { BrandportAdmin } from '@brandport/client/admin';
import type { Output, Progress } from '../output/output.ts';
import type { Connection, ProfileFile } from '../profiles.ts';

/** The options that every command has. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly yes?: boolean;
}

/** Everything that a command may use of the process, the profile and the service. */
export interface CliContext {
  readonly options: GlobalOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes data to standard output, as `--json` and `--quiet` ask. */
  readonly output: Output;
  /** Aborted by Ctrl-C. Pass it to every call and check it in loops: the command then throws, and exits with 130. */
  readonly signal: AbortSignal;
  readonly profiles: ProfileFile;
  /** The folder of what can be made again, such as what was read of unchanged products. It may not exist. */
  readonly stateFolder: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The sentence that follows "Interrupted.". */
  readonly resumeSentence: string;
  /** Returns the client of the API, for commands that only read. @throws CliError without a key */
  brandport(): Promise<Brandport>;
  /**
   * Returns the client of the API, for commands that write: profile, host and brand are on standard error before.
   * @param brand the option `--brand` @throws UsageError if the key belongs to another brand
   */
  writer(brand: string | undefined): Promise<Brandport>;
  /**
   * Returns the client of the internal surface. Before its first write, the profile, the host, and the brand of `brandId`
   * or `checkBrand` are written to standard error.
   * @throws CliError without a token
   */
  admin(options?: { readonly isReadOnly?: boolean }): Promise<BrandportAdmin>;
  /** Returns the address and key that are used, without the SDK. @throws CliError without a key */
  connection(kind: 'client' | 'admin'): Connection;
  /**
   * Returns the brand of an operators' command: that of the option, or of the profile.
   * @throws UsageError
   */
  brandId(option: string | undefined): number;
  /** Notes the brand of what an operator named by its id. @throws UsageError if `--brand` names another one */
  checkBrand(actual: number | null, option: string | undefined): void;
  /** Writes a line to standard error. */
  tell(text: string): void;
  /** Writes to standard error without a line end. */
  prompt(text: string): void;
  /** Says what to do after Ctrl-C from now on, such as "Run the same command again: it continues.". */
  resumeWith(sentence: string): void;
  /**
   * Asks on a terminal, unless `--yes` is given.
   * @throws UsageError without a terminal
   * @throws CliError if the answer is not yes
   */
  confirm(question: string): Promise<void>;
  /** Prepares a bar on standard error, if that is a terminal. */
  progress(label: string): Progress;
}
