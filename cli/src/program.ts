import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Help, Option } from 'commander';
import { adminGroup, type RunAction, serverGroup } from './commands/command.ts';
import { entries } from './commands/entries.ts';
import type { CliContext, GlobalOptions } from './context/cli-context.ts';
import type { CliProcess } from './context/create-context.ts';
import { exitCodes, jsonFailure } from './errors.ts';
import { nearestName } from './generated/nearest-name.ts';
import { serverCommands } from './generated/server-commands.ts';
import { hasAdminAccess, ProfileFile } from './profiles.ts';

/** Runs an action with the options that every command has. */
export type Execute = (
  options: GlobalOptions,
  action: (context: CliContext) => Promise<number | undefined>,
) => Promise<void>;

/** Builds the command line. Only the commands that `cli.args` name are loaded, and all of them for their completion. */
export async function createProgram(cli: CliProcess, execute: Execute): Promise<Command> {
  const server = findServer();
  const hasAdmin = hasAdminAccess({ env: cli.env, profiles: new ProfileFile(cli.env, cli.home) });
  const loadsAll = cli.args.includes('completion');
  const showsAll = loadsAll || cli.args.includes('--all');
  const program = new Command('brandport')
    .description('The command line of Brandport, for operators and integrators.')
    .version(cli.version)
    .option('--profile <name>', 'the profile to use; default: BRANDPORT_PROFILE, or the default profile')
    .addOption(new Option('--json', 'write JSON; streams write one document a line').conflicts('quiet'))
    .addOption(new Option('--quiet', 'write ids only'))
    .option('-y, --yes', 'do not ask for confirmation')
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: helpOfUsable((group) => {
        if (showsAll || server !== null) return true;
        return group === adminGroup ? hasAdmin : group !== serverGroup;
      }),
    })
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
    // Without this, Commander has no help command in a program that acts without a name.
    .helpCommand('help [command]', 'display help for a command')
    // `main.ts` sets the exit code.
    .exitOverride();
  const run: RunAction = (action) => execute(program.opts<GlobalOptions>(), action);
  const inDatabase = loadsAll ? null : namedForDatabase(cli.args);
  for (const [group, members] of Object.entries(entries))
    for (const [name, description, load] of members) {
      const command = program.command(name).description(description).helpGroup(group);
      if (name === inDatabase) passToServer(program, command, server);
      // A value that equals a name loads a command too many, which does no harm.
      else if (loadsAll || cli.args.includes(name)) (await load())(command, run);
    }
  for (const [name, description] of serverCommands)
    passToServer(program, program.command(name).description(description).helpGroup(serverGroup), server);
  program.action(() => {
    program.outputHelp();
    // Until 0.3, the server started without a command: a supervisor that still does so must not take the help for a success.
    if (server !== null) program.error('To start the server: brandport serve', { exitCode: exitCodes.usage });
  });
  program.addHelpText('after', ({ command }) => {
    if (command !== program) return '';
    const lines = cli.args.length > 0 ? ['`brandport <command> --help` lists the options of a command.'] : [];
    if (!showsAll && server === null)
      lines.push(
        `\`brandport --help --all\` lists the commands that need ${hasAdmin ? '' : 'the admin token or '}the server's machine, too.`,
      );
    return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
  });
  refuseUnknownCommands(program);
  return program;
}

/** Returns a function for the help that leaves out groups of commands. */
function helpOfUsable(isUsable: (group: string) => boolean): Help['visibleCommands'] {
  return function visibleCommands(this: Help, command) {
    return Help.prototype.visibleCommands
      .call(this, command)
      .filter((child) => isUsable(child.helpGroup() ?? ''));
  };
}

function usageFailure(message: string): string {
  return jsonFailure(null, { exitCode: exitCodes.usage, message });
}

/** Returns the noun of `brands create` and `keys create` if the server does it, in its database [D114]. */
function namedForDatabase(args: readonly string[]): string | null {
  const [noun = '', verb] = args.filter((arg) => !arg.startsWith('-'));
  if (!['brands', 'keys'].includes(noun) || verb !== 'create') return null;
  if (args.includes('--help') || args.includes('-h')) return null;
  return args.includes('--database') ? noun : null;
}

/** Makes a command one of the server. */
function passToServer(program: Command, command: Command, server: string | null): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => runServer(program, command.name(), server));
}

/** Continues as the server's program, which reads the arguments of this process again. */
async function runServer(program: Command, name: string, launcher: string | null): Promise<void> {
  if (launcher === null)
    program.error(
      `error: '${name}' needs the server, which is not installed here. The page /sdk/ of a Brandport has the command that installs it.`,
    );
  else await import(pathToFileURL(launcher).href);
}

/** Returns the start of the server's program; null if its package is not installed next to this one. */
function findServer(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('@brandport/server/package.json');
    return join(dirname(manifest), 'bin', 'brandport.js');
  } catch {
    return null;
  }
}

/**
 * Makes the program and its groups of commands refuse names that they do not have, with the nearest one that they have, also
 * when help is asked for.
 */
function refuseUnknownCommands(program: Command): void {
  for (const group of [program, ...groupsBelow(program)]) {
    // Some groups act without a name themselves.
    group.allowExcessArguments().hook('preAction', (_, acting) => {
      if (acting === group) refuseUnknown(group);
    });
    group.on('command:*', () => refuseUnknown(group));
    const outputHelp = group.outputHelp.bind(group);
    group.outputHelp = (context?: unknown) => {
      refuseUnknown(group);
      return outputHelp(context as never);
    };
  }
}

function groupsBelow(command: Command): Command[] {
  // One with arguments of its own takes any name.
  const groups = command.commands.filter(
    ({ commands, registeredArguments }) => commands.length > 0 && registeredArguments.length === 0,
  );
  return groups.flatMap((group) => [group, ...groupsBelow(group)]);
}

function refuseUnknown(group: Command): void {
  // With its name alone, `help` is a command of the program and of most groups.
  const name = group.args[0] === 'help' ? group.args[1] : group.args[0];
  if (name === undefined || name.startsWith('-')) return;
  const names = group.commands.map((command) => command.name());
  if (names.includes(name)) return;
  const path = pathOf(group);
  const instead = formerCommands[`${path.replace(/^brandport ?/, '')} ${name}`.trim()];
  if (instead !== undefined)
    group.error(`error: '${path} ${name}' is gone: ${instead}`, { code: 'commander.unknownCommand' });
  const nearest = nearestName(name, names);
  group.error(
    `error: unknown command '${name}'.${nearest?.isClose === true ? ` The nearest is '${path} ${nearest.name}'.` : ''} '${path} --help' lists all.`,
    { code: 'commander.unknownCommand' },
  );
}

/** The commands of earlier versions, with what to use instead. */
const formerCommands: Readonly<Record<string, string>> = {
  brand: 'use `brands`; `brand create` is `brands create --database`.',
  feed: 'use `feeds`, such as `feeds send` and `feeds wait`.',
  'feed-tokens': 'use `feeds tokens`.',
  key: 'use `keys`; `key create` is `keys create --database`.',
  'keys leak': 'revoke a key by its id: `keys revoke KEY_ID`.',
  refusals: 'use `requests list`; a key lists its own with `status --refusals`.',
  request: 'use `requests show ID`.',
  'stock changes': 'use `changes --stock`.',
  support: 'pass on the log, /metrics and the output of `overview --json`.',
  usage: 'docs/operations.md, "Sizes", has statements that show what is occupied.',
};

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
