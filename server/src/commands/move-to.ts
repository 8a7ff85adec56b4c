import type { AddCommand, CommandContext } from './command.ts';

export const addMoveTo: AddCommand = (program, run) => {
  program
    .command('move-to')
    .argument('<url>', 'an empty database, such as postgresql://brandport:secret@db.example/brandport')
    .description('copy all data of the embedded database to your PostgreSQL, and run the doctor on it')
    .addHelpText(
      'after',
      '\nThe embedded database is not changed. Stop the server first: what it writes during the move stays behind.',
    )
    .action((url) => run((context) => moveTo(context, url)));
};

async function moveTo(
  { config, version, log, stopping, write }: CommandContext,
  url: string,
): Promise<number> {
  const { configAt, runMoveCommand } = await import('../serve/move-command.ts');
  const cancelled = stopping();
  const { tables, rows, createdAt, isInUse } = await runMoveCommand({ config, version, log, cancelled }, url);
  write(`Copied ${tables} tables, ${rows} rows, as of ${createdAt}.\n`);
  const { runDoctorCommand } = await import('../serve/doctor-command.ts');
  const { left } = await runDoctorCommand(configAt(config, url), {}, { log, write, cancelled });
  if (isInUse)
    write(
      `A server is running on ${config.dataDir}. What it wrote since ${createdAt} is not in the new database: to move for ` +
        'good, stop it and run this again with an empty database.\n',
    );
  else write(`To use it, start the server with DATABASE_URL. Keep ${config.dataDir}: it has the secrets.\n`);
  return left === 0 ? 0 : 1;
}
