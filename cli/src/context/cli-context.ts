import type { Brandport } from '@brandport/client';
import type { BrandportAdmin } from '@brandport/client/admin';
import type { Output } from '../output/output.ts';
import type { Progress } from '../output/progress.ts';
import type { Styles } from '../output/styles.ts';
import type { Connection } from '../profiles/connection.ts';
import type { ProfileFile } from '../profiles/profile-file.ts';

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
  readonly styles: Styles;
  /** Aborted by Ctrl-C. Pass it to every call and check it in loops: the command then throws, and exits with 130. */
  readonly signal: AbortSignal;
  readonly profiles: ProfileFile;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The sentence that follows "Interrupted.". */
  readonly resumeSentence: string;
  /**
   * Returns the client of the API. Before its first write, the profile, host and brand are written to standard error.
   * @throws CliError without a key
   */
  brandport(): Promise<Brandport>;
  /** Returns the client of the internal surface; writes are announced likewise. @throws CliError without a token */
  admin(): Promise<BrandportAdmin>;
  /** Returns the address and key that are used, without the SDK. @throws CliError without a key */
  connection(kind: 'client' | 'admin'): Connection;
  /**
   * Returns the brand of an operators' command: that of the option, or of the profile.
   * @throws UsageError
   */
  brandId(option: string | undefined): number;
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
  /** Starts a bar on standard error if that is a terminal. */
  progress(label: string, total: number): Promise<Progress>;
}
