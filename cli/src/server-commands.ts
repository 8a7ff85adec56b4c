import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { CliProcess } from './context/create-context.ts';

/** The commands of the server and their descriptions, in the order of its help. */
export const serverCommands: readonly (readonly [name: string, description: string])[] = [
  ['serve', 'serve both listeners (the default)'],
  ['migrate', 'migrate the databases to the latest schema, then exit; the embedded one must not be in use'],
  ['aggregate', 'aggregate learning analytics: the pending days, like the nightly run, or the given days'],
  ['doctor', 'recompute all derived figures and report mismatches; safe while the server is running'],
  ['backup', 'write all data to a file, as one moment sees it; safe while the server is running'],
  ['restore', 'fill an empty database from a backup; no server may be running on it'],
  ['move-to', 'copy all data of the embedded database to your PostgreSQL, and run the doctor on it'],
  ['retain', 'drop data that is older than it is kept, like the daily job; safe while the server is running'],
  ['analytics', 'move the analytics store'],
  ['brand', 'administer brands'],
  ['key', 'administer API keys'],
  ['sandbox', 'serve a disposable brand to test an integration against, with faults on request'],
];

/**
 * Adds the commands that work on the server's machine. The server has them: here are their names for the help. Without a
 * command, the server starts if its package is installed.
 */
export function addServerCommands(program: Command, cli: CliProcess): void {
  for (const [name, description] of serverCommands)
    program
      .command(name)
      .description(description)
      .helpGroup("On the server's machine:")
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => runServer(program, name));
  program.action(async () => {
    if (findServer() === null) program.outputHelp();
    else await runServer(program, 'serve');
  });
  program.addHelpText('after', ({ command }) =>
    command === program && cli.args.length > 0
      ? '\n`brandport <command> --help` lists the options of a command.'
      : '',
  );
}

/** Continues as the server's program, which reads the arguments of this process again. */
async function runServer(program: Command, name: string): Promise<void> {
  const launcher = findServer();
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
