import { Command } from 'commander';
import { engineNames } from '../analytics/store/events-store.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { packageVersion } from '../serve/lifetime.ts';
import { extensionCommands } from '../serve/load-extensions.ts';
import type { AddCommands, RunAction } from './command.ts';

/** The command line has the same commands over HTTP, and hands these over with the option. */
const database = 'write to the database of the settings, as these commands always do';
const quiet = 'print the id or the key alone, as these commands always do';

const addBrandCommands: AddCommands = (program, run) => {
  const brands = program.command('brands').description('create brands');
  brands
    .command('create')
    .argument('<name>', 'shown to operators')
    .description('create a brand and print its id; works with and without a running server')
    .option('--database', database)
    .option('--quiet', quiet)
    .option('--currency <code>', 'ISO 4217, for products without a currency; default: EUR')
    .option('--language <tag>', 'BCP 47, for products without a language; default: en')
    .action((name, options) =>
      run(async (context) =>
        (await import('./create-brand.ts')).createBrandByCommand(context, name, options),
      ),
    );
  program
    .command('keys')
    .description('create API keys')
    .command('create')
    .description('issue an API key and print it, once; works with and without a running server')
    .option('--database', database)
    .option('--quiet', quiet)
    .requiredOption('--brand <id>', 'the brand whose data the key opens')
    .requiredOption('--scopes <scopes>', 'comma-separated, such as catalog.products:read; or all')
    .option('--name <name>', 'a label, such as the system that uses the key', 'command line')
    .option('--expires <time>', 'when the key expires, such as 2028-01-01T00:00:00Z; default: never')
    .action((args) =>
      run(async (context) => (await import('./create-brand.ts')).createKeyByCommand(context, args)),
    );
};

const addDataCommands: AddCommands = (program, run) => {
  program
    .command('migrate')
    .description('migrate the databases to the latest schema, then exit; the embedded one must not be in use')
    .action(() => run(async (context) => (await import('./maintenance.ts')).migrate(context)));
  program
    .command('aggregate')
    .description('aggregate learning analytics: the pending days, like the nightly run, or the given days')
    .option('--brand <id>', 'only this brand')
    .option('--from <day>', 'first day, UTC, such as 2026-03-01')
    .option('--to <day>', 'last day; default: yesterday')
    .addHelpText(
      'after',
      '\nThe embedded database must not be in use by a server: there, use POST /internal/v1/brands/{id}/aggregations.',
    )
    .action((args) => run(async (context) => (await import('./analytics.ts')).aggregate(context, args)));
  program
    .command('doctor')
    .description('recompute all derived figures and report mismatches; safe while the server is running')
    .option('--repair', 'repair derived figures (never quantities or ledger entries)')
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', '\nExits with 0 if everything adds up or was repaired, otherwise with 1.')
    .action((args) => run(async (context) => (await import('./maintenance.ts')).doctor(context, args)));
  addBackups(program, run);
  program
    .command('after-recovery')
    .description(
      'after a recovery to an instant: make clients of analytics pull all days again; safe to repeat',
    )
    .addHelpText('after', '\n`brandport restore` does it itself. docs/recovery.md has the other steps.')
    .action(() =>
      run(async (context) => {
        const { revision, days } = await (await import('./backup.ts')).afterRecovery(context);
        context.write(`Datasets are at revision ${revision}; ${days} days are marked as changed.\n`);
        return 0;
      }),
    );
  program
    .command('move-to')
    .argument('<url>', 'an empty database, such as postgresql://brandport:secret@db.example/brandport')
    .description('copy all data of the embedded database to your PostgreSQL, and run the doctor on it')
    .addHelpText(
      'after',
      '\nThe embedded database is not changed. Stop the server first: what it writes during the move stays behind.',
    )
    .action((url) => run(async (context) => (await import('./backup.ts')).moveTo(context, url)));
  program
    .command('retain')
    .description(
      'drop data that is older than it is kept, like the daily job; safe while the server is running',
    )
    .option('--json', 'print the result as one JSON document')
    .addHelpText(
      'after',
      '\nThe settings BRANDPORT_KEEP_… say how long data is kept; docs/configuration.md lists them.',
    )
    .action((args) => run(async (context) => (await import('./maintenance.ts')).retain(context, args)));
  program
    .command('analytics')
    .description('move the analytics store')
    .command('copy')
    .description(
      `move learning events and datasets from PostgreSQL to the ${engineNames.engine} of ${engineNames.setting}; stop the servers first`,
    )
    .action(() => run(async (context) => (await import('./analytics.ts')).copyAnalytics(context)));
};

const addBackups: AddCommands = (program, run) => {
  program
    .command('backup')
    .argument('<file>', 'a file that does not exist yet, such as brandport-2026-03-01.tar')
    .description('write all data to a file, as one moment sees it; safe while the server is running')
    .addHelpText(
      'after',
      '\nThe file is a tar archive of compressed tables and a manifest with their checksums. It appears complete or not at all.',
    )
    .action((file) => run(async (context) => (await import('./backup.ts')).backup(context, file)));
  program
    .command('restore')
    .argument('<file>', 'a file that `brandport backup` wrote')
    .description('fill an empty database from a backup; no server may be running on it')
    .option('--verify', 'run the doctor on the restored database')
    .addHelpText(
      'after',
      '\nThe file is read and compared with its checksums before anything is written. Exits with 0 if everything was restored, ' +
        '\nand with 1 if not, or if --verify finds a difference.',
    )
    .action((file, { verify = false }) =>
      run(async (context) => (await import('./backup.ts')).restore(context, file, verify)),
    );
};

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
  program.command('serve').description('serve both listeners').action(serve);
  // Until 0.3, the server started without a command: a supervisor that still does so must not take the help for a success.
  program.action(() => {
    program.outputHelp();
    program.error('\nTo start the server: brandport serve', { exitCode: 2, code: 'brandport.noCommand' });
  });
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

/** Without a name, the program itself acts and prints the help: Commander does not see that a name is unknown. */
function refuseUnknownCommands(program: Command): void {
  program.allowExcessArguments().hook('preAction', (_program, acting) => {
    const [name] = program.args;
    if (acting !== program || name === undefined) return;
    const nearest = nearestName(
      name,
      program.commands.map((command) => command.name()),
    );
    program.error(
      `error: unknown command '${name}'. The nearest is 'brandport ${nearest?.name}'; 'brandport --help' lists all.`,
      { code: 'commander.unknownCommand' },
    );
  });
}
