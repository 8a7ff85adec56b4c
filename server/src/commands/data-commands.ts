import { engineNames } from '../analytics/store/events-store.ts';
import type { AddCommands } from './command.ts';

export const addDataCommands: AddCommands = (program, run) => {
  program
    .command('migrate')
    .description('migrate the databases to the latest schema, then exit; the embedded one must not be in use')
    .action(() => run(async (context) => (await import('./migrate.ts')).migrate(context)));
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
    .action((args) => run(async (context) => (await import('./aggregate.ts')).aggregate(context, args)));
  program
    .command('doctor')
    .description('recompute all derived figures and report mismatches; safe while the server is running')
    .option('--repair', 'repair derived figures (never quantities or ledger entries)')
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', '\nExits with 0 if everything adds up or was repaired, otherwise with 1.')
    .action((args) => run(async (context) => (await import('./doctor.ts')).doctor(context, args)));
  addBackups(program, run);
  program
    .command('move-to')
    .argument('<url>', 'an empty database, such as postgresql://brandport:secret@db.example/brandport')
    .description('copy all data of the embedded database to your PostgreSQL, and run the doctor on it')
    .addHelpText(
      'after',
      '\nThe embedded database is not changed. Stop the server first: what it writes during the move stays behind.',
    )
    .action((url) => run(async (context) => (await import('./move-to.ts')).moveTo(context, url)));
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
    .action((args) => run(async (context) => (await import('./retain.ts')).retain(context, args)));
  program
    .command('analytics')
    .description('move the analytics store')
    .command('copy')
    .description(
      `move learning events and datasets from PostgreSQL to the ${engineNames.engine} of ${engineNames.setting}; stop the servers first`,
    )
    .action(() => run(async (context) => (await import('./copy-analytics.ts')).copyAnalytics(context)));
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
      run(async (context) => (await import('./restore.ts')).restore(context, file, verify)),
    );
};
