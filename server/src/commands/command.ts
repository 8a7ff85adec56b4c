import type { Command } from 'commander';
import type pino from 'pino';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';

/** The parts of the process that a command may use. `main.ts` provides them. */
export interface CommandContext {
  /** The version of Brandport. */
  readonly version: string;
  readonly config: Config;
  readonly logger: pino.Logger;
  /** The same logger as a function. */
  readonly log: Log;
  /**
   * Handles SIGTERM and SIGINT from now on: the signal is aborted by the first one, and the process exits within 10 s
   * even if something hangs.
   */
  stopping(): AbortSignal;
  /** Writes to standard output: results only. */
  write(text: string): void;
  /** Writes to standard error, after all log lines so far. */
  tell(text: string): void;
  /** Ends the process at once. */
  exit(code: number): never;
}

/** Runs the action of a command: loads the configuration, reports errors and sets the exit code that the action returns. */
export type RunAction = (action: (context: CommandContext) => Promise<number>) => Promise<void>;

/** Adds a command to the program. Its action imports its modules itself, so that the other commands start without them. */
export type AddCommand = (program: Command, run: RunAction) => void;
