import { listParts } from '../backup/manifest.ts';
import type { AddCommand, CommandContext } from './command.ts';
import { dataSize } from './data-size.ts';

export const addBackup: AddCommand = (program, run) => {
  const command = program
    .command('backup')
    .argument('<file>', 'a file that does not exist yet, such as brandport-2026-03-01.tar')
    .description('write all data to a file, as one moment sees it; safe while the server is running')
    .addHelpText(
      'after',
      '\nThe file is a tar archive of compressed tables and a manifest with their checksums. It appears complete or not at all.',
    )
    .action((file) => run((context) => backup(context, file)));
  command
    .command('verify')
    .argument('<file>', 'a file that `brandport backup` wrote')
    .description(
      'rehearse a restore: fill a temporary database from a backup, run the doctor on it, and remove it',
    )
    .addHelpText(
      'after',
      '\nThe temporary database is in BRANDPORT_DATA_DIR, with as much room as all data needs. Exits with 0 if everything was ' +
        '\nrestored and adds up, otherwise with 1.',
    )
    .action((file) => run((context) => verify(context, file)));
};

async function backup(
  { config, version, log, stopping, write }: CommandContext,
  file: string,
): Promise<number> {
  const { runBackupCommand } = await import('../serve/backup-command.ts');
  const cancelled = stopping();
  const { manifest, bytes } = await runBackupCommand({ config, version, log, cancelled }, file);
  const parts = listParts(manifest);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  write(`${file}: ${parts.length} tables, ${rows} rows, ${dataSize(bytes)}, as of ${manifest.created_at}.\n`);
  return 0;
}

async function verify({ config, log, stopping, write }: CommandContext, file: string): Promise<number> {
  const { runVerifyBackupCommand } = await import('../serve/verify-backup-command.ts');
  const left = await runVerifyBackupCommand({ config, log, write, cancelled: stopping() }, file);
  return left === 0 ? 0 : 1;
}
