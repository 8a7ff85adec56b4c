import type { Command } from 'commander';
import type { CliContext } from '../context/cli-context.ts';

/** Runs an action: creates its context, reports errors, and sets the exit code that the action returns (default 0). */
export type RunAction = (action: (context: CliContext) => Promise<number | undefined>) => Promise<void>;

/** Adds the arguments, options and action, or the commands of a group. */
export type Define = (command: Command, run: RunAction) => void;

/** The groups of the help. Those of `adminGroup` and `serverGroup` are shown to who can use them. */
export const clientGroup = 'With an API key:';
export const adminGroup = 'With the admin token:';
export const serverGroup = "On the server's machine:";

/** The option of commands that the server's program does, too. */
export const databaseOption =
  "on the server's machine: write to the server's database, without a token, and print as with --quiet";
