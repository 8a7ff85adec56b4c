import { readBackupKeys } from '../backup/backup-keys.ts';
import type { BackupSettings } from '../backup/backup-settings.ts';
import { openBackup } from '../backup/check-backup.ts';
import { createBackup } from '../backup/create-backup.ts';
import { makeRegularBackup } from '../backup/regular-backups.ts';
import type { CancellableWork } from '../jobs/job.ts';
import type { Clock } from '../lib/clock.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { explained } from './backup-command.ts';
import { openEngine } from './open-engine.ts';
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
    let engine: OpenEngine | null = null;
    try {
      const keys = await readBackupKeys(keyFile);
      engine = await openEngine(engineUrl);
      const source = { main, analytics: analytics === main ? null : analytics, engine };
      const options = { version: packageVersion, log: () => {}, cancelled, key: keys[0] };
      return await makeRegularBackup({ ...settings, dir }, clock.now(), {
        write: async (file) => void (await createBackup(source, file, options)),
        check: async (file) => {
          const { reader } = await openBackup(file, cancelled, 'everything', keys);
          await reader.close();
        },
      });
    } catch (error) {
      throw explained(error, cancelled, `No backup was written to ${dir}`);
    } finally {
      await engine?.close();
    }
  };
}
