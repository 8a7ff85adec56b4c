import type { Command } from 'commander';
import type { CliContext } from '../context/cli-context.ts';

/** Runs an action: creates its context, reports errors, and sets the exit code that the action returns (default 0). */
export type RunAction = (action: (context: CliContext) => Promise<number | undefined>) => Promise<void>;

/** Adds the arguments, options and action, or the commands of a group. */
export type Define = (command: Command, run: RunAction) => void;

/** A command of the first level. It is loaded only if the command line names it. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<Define>;
}
