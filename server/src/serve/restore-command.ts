import { readBackupKeys } from '../backup/backup-keys.ts';
import { type CheckedBackup, openBackup } from '../backup/check-backup.ts';
import { finishSchema, type RestoreSummary, restoreBackup } from '../backup/restore-backup.ts';
import type { Config } from '../config.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import { explained } from './backup-command.ts';
import { openEngine } from './open-engine.ts';
import { superviseEmbeddedPostgres } from './supervised-postgres.ts';

export interface RestoreContext {
  readonly config: Config;
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

export interface RestoredBackup extends RestoreSummary {
  /** The time of the snapshot that was restored. */
  readonly createdAt: string;
}

/**
 * `brandport restore`: fills the configured databases, which must be empty, from a backup that was checked first.
 * @param analytics `'none'`: leaves the analytics store as it is
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function runRestoreCommand(
  { config, log, cancelled }: RestoreContext,
  file: string,
  analytics: 'all' | 'none' = 'all',
): Promise<RestoredBackup> {
  const keys = await readBackupKeys(config.backup.keyFile);
  const backup = await openBackup(file, cancelled, 'everything', keys).catch((error: unknown) => {
    throw explained(error, cancelled, 'Nothing was restored');
  });
  try {
    log('info', `${file} is complete: Brandport ${backup.manifest.brandport}, ${backup.manifest.created_at}`);
    return await restoreInto(backup, { config, log, cancelled }, analytics);
  } finally {
    await backup.reader.close();
  }
}

async function restoreInto(
  backup: CheckedBackup,
  { config, log, cancelled }: RestoreContext,
  analytics: 'all' | 'none',
): Promise<RestoredBackup> {
  const { databaseUrl, analyticsUrl, engineUrl, dataDir } = config;
  const main =
    databaseUrl === null
      ? await superviseEmbeddedPostgres(dataDir, log)
      : { address: { url: databaseUrl }, stop: async () => {} };
  const engine = await openEngine(engineUrl);
  try {
    const target = {
      main: main.address,
      analytics: analytics === 'none' ? analytics : analyticsUrl === null ? null : { url: analyticsUrl },
      engine,
      prepareQueue: () => createQueue(main.address),
    };
    const summary = await restoreBackup(backup, target, { log, cancelled }).catch((error: unknown) => {
      throw explained(error, cancelled, 'Nothing was restored');
    });
    await finishSchema(target);
    for (const line of summary.leftOut) log('warn', `not restored: ${line}`);
    return { ...summary, createdAt: backup.manifest.created_at };
  } finally {
    await engine?.close();
    await main.stop();
  }
}

async function createQueue(address: DatabaseAddress): Promise<void> {
  const database = new Database({ address, applicationName: 'brandport-restore', poolSize: 2 });
  try {
    const silent = { info: () => {}, error: () => {} };
    const queue = await openJobQueue(database, silent, false);
    await queue.stop(0);
  } finally {
    await database.close();
  }
}
