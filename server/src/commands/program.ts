import { Command } from 'commander';
import { extensionCommands } from '../serve/load-extensions.ts';
import { packageVersion } from '../serve/package-version.ts';
import { addBrandCommands } from './brand-commands.ts';
import type { AddCommands, RunAction } from './command.ts';
import { addDataCommands } from './data-commands.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

/** Builds the command line: all commands, in the order of the help. */
export function createProgram(run: RunAction): Command {
  const program = new Command('brandport')
    .description('The Brandport server and its administration commands.')
    .version(packageVersion)
    // `main.ts` sets the exit code.
    .exitOverride()
    .addHelpText(
      'after',
      '\nSettings are environment variables; docs/configuration.md lists them. `brandport --env-file FILE <command>` reads them from a file.',
    );
  addServe(program, run);
  addDataCommands(program, run);
  addBrandCommands(program, run);
  addExtensionCommands(program, run);
  refuseUnknownCommands(program);
  return program;
}

const addServe: AddCommands = (program, run) => {
  const serve = () => run(async (context) => (await import('./serve.ts')).serve(context));
  program.action(serve);
  program.command('serve').description('serve both listeners (the default)').action(serve);
};

const addExtensionCommands: AddCommands = (program, run) => {
  for (const { name, description, options, load } of extensionCommands) {
    const command = program.command(name).description(description);
    for (const [flags, text] of options) command.option(flags, text);
    command.action((args) =>
      run(async (context) => {
        const { startServer } = await import('../serve/start-server.ts');
        const runExtension = await load();
        return runExtension(
          {
            ...context,
            startServer: (config, cancelled, additions) =>
              startServer(config, context.logger, cancelled, additions),
          },
          args,
        );
      }),
    );
  }
};
