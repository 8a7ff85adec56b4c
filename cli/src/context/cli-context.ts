import type { Brandport } from '@brandport/client';
import type { BrandportAdmin } from '@brandport/client/admin';
import type { Output } from '../output/output.ts';
import type { Progress } from '../output/progress.ts';
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
  /** Says how far the command came and what to do, after Ctrl-C and after an outage. */
  readonly resumeSentence: string;
  /** A long command has had an answer of the service: what ends it now leaves a part done. */
  readonly isUnderWay: boolean;
  /** Returns the client of the API, for commands that only read. @throws CliError without a key */
  brandport(options?: Patience): Promise<Brandport>;
  /**
   * Returns the client of the API, for commands that write: profile, host and brand are on standard error before.
   * @param brand the option `--brand` @throws UsageError if the key belongs to another brand
   */
  writer(brand: string | undefined, options?: Patience): Promise<Brandport>;
  /**
   * Returns the client of the internal surface. Before its first write, the profile, the host, and the brand of `brandId`
   * or `checkBrand` are written to standard error.
   * @throws CliError without a token
   */
  admin(options?: { readonly isReadOnly?: boolean; readonly isPatient?: boolean }): Promise<BrandportAdmin>;
  /** Returns the address and key that are used, without the SDK. @throws CliError without a key */
  connection(kind: 'client' | 'admin'): Connection;
  /**
   * Returns the brand of an operators' command, from the option or the profile.
   * @throws UsageError
   */
  brandId(option: string | undefined): number;
  /** Notes the brand of what an operator named by its id. @throws UsageError if `--brand` names another one */
  checkBrand(actual: number | null, option: string | undefined): void;
  /** Writes a line to standard error. */
  tell(text: string): void;
  /** Writes to standard error without a line end. */
  prompt(text: string): void;
  /** Says what to do if the command ends early from now on, such as "Run the same command again: it continues.". */
  resumeWith(sentence: string | (() => string)): void;
  /**
   * Asks on a terminal, unless `--yes` is given.
   * @throws UsageError without a terminal
   * @throws CliError if the answer is not yes
   */
  confirm(question: string): Promise<void>;
  /**
   * Prepares the progress of long work on standard error: a bar on a terminal, otherwise a line a minute.
   * @param isStreaming the output may be on the same terminal: no bar
   */
  progress(label: string, isStreaming?: boolean): Progress;
}

/** The first client of a command decides. */
export interface Patience {
  /** Instead of the profile's, or the environment's. */
  readonly target?: { readonly url: string; readonly secret: string } | undefined;
  /** For commands of hours: an outage of up to ten minutes is waited for, once the service has answered. */
  readonly isPatient?: boolean;
}
