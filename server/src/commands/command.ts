import type { Command } from 'commander';
import type pino from 'pino';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';

/** The parts of the process that a command may use. `main.ts` provides them. */
export interface CommandContext {
  readonly config: Config;
  readonly logger: pino.Logger;
  readonly log: Log;
  /** Aborted by SIGTERM and SIGINT, handled from the first use on; the process then exits within 10 s in any case. */
  readonly cancelled: AbortSignal;
  /** Writes to standard output: results only. */
  write(text: string): void;
  /** Waits until all results are written. @throws StartError if they cannot be; a reader that has gone needs no more */
  flush(): Promise<void>;
  /** Checks before a secret is issued that its output is not discarded. @throws StartError */
  requireReader(): void;
  /** Waits after a secret. @param lost what to do if nobody has it @throws StartError with `lost` if it was not read */
  flushSecret(lost: string): Promise<void>;
  /** Writes to standard error, after all log lines so far. */
  tell(text: string): void;
  exit(code: number): never;
}

/** Runs the action of a command: loads the configuration, reports errors and sets the exit code that the action returns. */
export type RunAction = (action: (context: CommandContext) => Promise<number>) => Promise<void>;

/** Adds commands to the program. Their actions are imported when they run, so that the others start without them. */
export type AddCommands = (program: Command, run: RunAction) => void;
