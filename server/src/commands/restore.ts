import type { AddCommand, CommandContext } from './command.ts';

export const addRestore: AddCommand = (program, run) => {
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
    .action((file, { verify = false }) => run((context) => restore(context, file, verify)));
};

async function restore(
  { config, log, stopping, write }: CommandContext,
  file: string,
  verify: boolean,
): Promise<number> {
  const { runRestoreCommand } = await import('../serve/restore-command.ts');
  const cancelled = stopping();
  const { tables, rows, createdAt } = await runRestoreCommand({ config, log, cancelled }, file);
  write(`Restored ${tables} tables, ${rows} rows, as of ${createdAt}.\n`);
  if (!verify) return 0;
  const { runDoctorCommand } = await import('../serve/doctor-command.ts');
  const { left } = await runDoctorCommand(config, {}, { log, write, cancelled });
  return left === 0 ? 0 : 1;
}
