import { Command } from 'commander';
import { addAggregate } from './aggregate.ts';
import { addAnalytics } from './analytics.ts';
import { addBackup } from './backup.ts';
import { addBrand } from './brand.ts';
import type { AddCommand, RunAction } from './command.ts';
import { addDoctor } from './doctor.ts';
import { addExtensionCommands } from './extension-commands.ts';
import { addKey } from './key.ts';
import { addMigrate } from './migrate.ts';
import { addMoveTo } from './move-to.ts';
import { addRestore } from './restore.ts';
import { addRetain } from './retain.ts';
import { addServe } from './serve.ts';
import { addSupport } from './support.ts';
import { refuseUnknownCommands } from './unknown-command.ts';
import { addUsage } from './usage.ts';

/** All commands, in the order of the help. */
const commands: readonly AddCommand[] = [
  addServe,
  addMigrate,
  addAggregate,
  addDoctor,
  addBackup,
  addRestore,
  addMoveTo,
  addRetain,
  addUsage,
  addSupport,
  addAnalytics,
  addBrand,
  addKey,
  addExtensionCommands,
];

/** Builds the command line. `version` is that of the package. */
export function createProgram(version: string, run: RunAction): Command {
  const program = new Command('brandport')
    .description('The Brandport server and its administration commands.')
    .version(version)
    // `main.ts` sets the exit code.
    .exitOverride()
    .addHelpText(
      'after',
      '\nSettings are environment variables; docs/configuration.md lists them. `brandport --env-file FILE <command>` reads them from a file.',
    );
  for (const add of commands) add(program, run);
  refuseUnknownCommands(program);
  return program;
}
