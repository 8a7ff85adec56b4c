import { StoreTrouble } from '../analytics/store/store-trouble.ts';
import { BackupError } from '../backup/backup-error.ts';
import { readBackupKeys } from '../backup/backup-keys.ts';
import type { BackupSettings } from '../backup/backup-settings.ts';
import { openBackup } from '../backup/check-backup.ts';
import { createBackup } from '../backup/create-backup.ts';
import { makeRegularBackup } from '../backup/regular-backups.ts';
import type { CancellableWork } from '../jobs/job.ts';
import type { Clock } from '../lib/clock.ts';
import { openEngine } from './open-installation.ts';
import { packageVersion } from './package-version.ts';
import type { DoctorAddresses } from './run-doctor-job.ts';

/** Returns the work of the job that makes backups; undefined if the settings name no directory. */
export function backupJob(
  settings: BackupSettings,
  { main, analytics, engineUrl }: DoctorAddresses,
  clock: Clock,
): CancellableWork | undefined {
  const { dir, keyFile } = settings;
  if (dir === null) return undefined;
  return async (cancelled) => {
    await using closing = new AsyncDisposableStack();
    try {
      const keys = await readBackupKeys(keyFile);
      const engine = await openEngine(engineUrl, closing);
      const source = { main, analytics: analytics === main ? null : analytics, engine };
      const options = { version: packageVersion, log: () => {}, cancelled, key: keys[0] };
      return await makeRegularBackup({ ...settings, dir }, clock.now(), {
        write: async (file) => void (await createBackup(source, file, options)),
        check: async (file) => {
          const { reader } = await openBackup(file, cancelled, keys);
          await reader.close();
        },
      });
    } catch (error) {
      throw explained(error, cancelled, `No backup was written to ${dir}`);
    }
  };
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
