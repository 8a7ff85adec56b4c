import { Command, Option } from 'commander';
import type { RunAction } from './commands/command.ts';
import { entries } from './commands/entries.ts';
import type { CliContext, GlobalOptions } from './context/cli-context.ts';
import type { CliProcess } from './context/create-context.ts';
import { exitCodes } from './errors/cli-error.ts';
import { jsonFailure } from './errors/describe-failure.ts';
import { addServerCommands } from './server-commands.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

/** Runs an action with the options that every command has. */
export type Execute = (
  options: GlobalOptions,
  action: (context: CliContext) => Promise<number | undefined>,
) => Promise<void>;

/** Builds the command line. Only the commands that `cli.args` name are loaded, and all of them for their completion. */
export async function createProgram(cli: CliProcess, execute: Execute): Promise<Command> {
  const program = new Command('brandport')
    .description('The command line of Brandport, for operators and integrators.')
    .version(cli.version)
    .option('--profile <name>', 'the profile to use; default: BRANDPORT_PROFILE, or the default profile')
    .addOption(new Option('--json', 'write JSON; streams write one document a line').conflicts('quiet'))
    .addOption(new Option('--quiet', 'write ids only'))
    .option('-y, --yes', 'do not ask for confirmation')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(text),
      writeErr: (text) => void cli.stderr.write(text),
      outputError: (text, write) =>
        write(cli.args.includes('--json') ? `${usageFailure(text.trimEnd())}\n` : text),
      getOutHelpWidth: () => cli.stdout.columns ?? 100,
      getErrHelpWidth: () => cli.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    // `main.ts` sets the exit code.
    .exitOverride();
  const loadsAll = cli.args.includes('completion');
  const run: RunAction = (action) => execute(program.opts<GlobalOptions>(), action);
  for (const [group, members] of Object.entries(entries))
    for (const { name, description, load } of members) {
      const command = program.command(name).description(description).helpGroup(group);
      // A value that equals a name loads a command too many, which does no harm.
      if (loadsAll || cli.args.includes(name)) (await load())(command, run);
    }
  addServerCommands(program, cli);
  refuseUnknownCommands(program);
  return program;
}

function usageFailure(message: string): string {
  return jsonFailure(null, { exitCode: exitCodes.usage, message });
}
