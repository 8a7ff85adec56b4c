import { StoreTrouble } from '../analytics/store/access.ts';
import { BackupError } from '../backup/archive.ts';
import { createBackup } from '../backup/snapshot-store.ts';
import { Closing } from '../lib/closing.ts';
import { openInstallation } from '../serve/open-installation.ts';
import { packageVersion } from '../serve/package-version.ts';
import type { CommandContext } from './command.ts';
import { dataSize } from './text-output.ts';

type BackupContext = Pick<CommandContext, 'config' | 'log' | 'cancelled'>;

/** Writes all data to a new file, next to a server. @throws BackupError, StartError, EmbeddedPostgresError, MigrationError */
export async function backup(context: CommandContext, file: string): Promise<number> {
  const { tables, rows, bytes, createdAt } = await writeBackup(context, file);
  context.write(`${file}: ${tables} tables, ${rows} rows, ${dataSize(bytes)}, as of ${createdAt}.\n`);
  return 0;
}

/** Writes a backup, and returns its summary and whether a server runs on the embedded database. */
export async function writeBackup({ config, log, cancelled }: BackupContext, file: string) {
  await using closing = new Closing();
  const { main, analytics } = await openInstallation(config, log, closing);
  try {
    const source = { main: main.address, analytics: config.analyticsUrl === null ? null : analytics };
    const options = { version: packageVersion, log, cancelled };
    return { ...(await createBackup(source, file, options)), isInUse: main.isInUse === true };
  } catch (error) {
    throw explained(error, cancelled, 'No backup was written');
  }
}

/** Errors of the system and of PostgreSQL as such for operators; others are defects and stay as they are. */
export function explained(error: unknown, cancelled: AbortSignal, outcome: string): unknown {
  if (cancelled.aborted) return new BackupError(`Stopped. ${outcome}.`);
  if (error instanceof StoreTrouble) return new BackupError(`${outcome}: ${error.message}`, { cause: error });
  const { code, message } = error as { code?: unknown; message: string };
  const isLost = message === 'Connection terminated unexpectedly';
  if (typeof code !== 'string' && !isLost) return error;
  return new BackupError(`${outcome}: ${message}`, { cause: error });
}
