import { explained } from '../backup/backup-error.ts';
import { createBackup } from '../backup/create-backup.ts';
import { listParts } from '../backup/manifest.ts';
import { openInstallation } from '../serve/open-installation.ts';
import { packageVersion } from '../serve/package-version.ts';
import type { CommandContext } from './command.ts';
import { dataSize } from './text-output.ts';

type BackupContext = Pick<CommandContext, 'config' | 'log' | 'cancelled'>;

/** Writes all data to a new file, next to a server. @throws BackupError, StartError, EmbeddedPostgresError, MigrationError */
export async function backup(context: CommandContext, file: string): Promise<number> {
  const { manifest, bytes } = await writeBackup(context, file);
  const parts = listParts(manifest);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  context.write(
    `${file}: ${parts.length} tables, ${rows} rows, ${dataSize(bytes)}, as of ${manifest.created_at}.\n`,
  );
  return 0;
}

/** Writes a backup, and returns its summary and whether a server runs on the embedded database. */
export async function writeBackup({ config, log, cancelled }: BackupContext, file: string) {
  await using closing = new AsyncDisposableStack();
  const { main, analytics } = await openInstallation(config, log, closing);
  try {
    const source = { main: main.address, analytics: config.analyticsUrl === null ? null : analytics };
    const options = { version: packageVersion, log, cancelled };
    return { ...(await createBackup(source, file, options)), isInUse: main.isInUse === true };
  } catch (error) {
    throw explained(error, cancelled, 'No backup was written');
  }
}
