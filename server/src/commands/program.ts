import { Command } from 'commander';
import { nearestName } from '../lib/nearest-name.ts';
import { extensionCommands } from '../serve/load-extensions.ts';
import { packageVersion } from '../serve/package-version.ts';
import { addBrandCommands } from './brand-commands.ts';
import type { AddCommands, RunAction } from './command.ts';
import { addDataCommands } from './data-commands.ts';

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

/** Makes the program and its groups of commands refuse names that they do not have, with the nearest one that they have. */
function refuseUnknownCommands(program: Command): void {
  // Without a name, the program itself acts: it serves.
  program.allowExcessArguments().hook('preAction', (_program, acting) => {
    const [name] = program.args;
    if (acting === program && name !== undefined) refuse(program, name);
  });
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group.on('command:*', ([name]: [string]) => refuse(group, name));
}

function refuse(group: Command, name: string): never {
  const nearest = nearestName(
    name,
    group.commands.map((command) => command.name()),
  );
  const path = group.parent === null ? group.name() : `${group.parent.name()} ${group.name()}`;
  group.error(
    `error: unknown command '${name}'. The nearest is '${path} ${nearest?.name}'; '${path} --help' lists all.`,
    { code: 'commander.unknownCommand' },
  );
}
