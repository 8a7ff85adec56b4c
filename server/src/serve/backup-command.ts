import { StoreTrouble } from '../analytics/store/store-trouble.ts';
import { BackupError } from '../backup/backup-error.ts';
import { readBackupKeys } from '../backup/backup-keys.ts';
import { type BackupSummary, createBackup } from '../backup/create-backup.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { openEngine } from './open-engine.ts';
import { requireAnalytics } from './require-analytics.ts';

export interface BackupContext {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

export interface WrittenBackup extends BackupSummary {
  /** True if a server runs on the embedded database. */
  readonly isInUse: boolean;
}

/**
 * `brandport backup`: writes all data to a new file, while a server may be running.
 * @param engineRows `'none'`: leaves out the events and datasets in an engine
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function runBackupCommand(
  { config, version, log, cancelled }: BackupContext,
  file: string,
  engineRows: 'all' | 'none' = 'all',
): Promise<WrittenBackup> {
  const [key] = await readBackupKeys(config.backup.keyFile);
  const main = await openDatabaseAsItIs(config, log);
  let engine: OpenEngine | null = null;
  try {
    const analytics = config.analyticsUrl === null ? null : { url: config.analyticsUrl };
    await requireAnalytics(analytics ?? main.address);
    if (engineRows === 'all') engine = await openEngine(config.engineUrl);
    const source = { main: main.address, analytics, engine: engineRows === 'none' ? engineRows : engine };
    const summary = await createBackup(source, file, { version, log, cancelled, key });
    return { ...summary, isInUse: main.isInUse === true };
  } catch (error) {
    throw explained(error, cancelled, 'No backup was written');
  } finally {
    await engine?.close();
    await main.stop();
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
