import type { ClickHouse } from '../analytics/store/clickhouse/clickhouse.ts';
import { BackupError } from '../backup/backup-error.ts';
import { type BackupSummary, createBackup } from '../backup/create-backup.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { openClickHouse } from './open-clickhouse.ts';
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
 * @param clickHouseRows `'none'`: leaves out the events and datasets in ClickHouse
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function runBackupCommand(
  { config, version, log, cancelled }: BackupContext,
  file: string,
  clickHouseRows: 'all' | 'none' = 'all',
): Promise<WrittenBackup> {
  const main = await openDatabaseAsItIs(config, log);
  let clickHouse: ClickHouse | null = null;
  try {
    const analytics = config.analyticsUrl === null ? null : { url: config.analyticsUrl };
    await requireAnalytics(analytics ?? main.address);
    if (config.clickHouseUrl !== null && clickHouseRows === 'all')
      clickHouse = await openClickHouse(config.clickHouseUrl);
    const source = {
      main: main.address,
      analytics,
      clickHouse: clickHouseRows === 'none' ? clickHouseRows : clickHouse,
    };
    const summary = await createBackup(source, file, { version, log, cancelled });
    return { ...summary, isInUse: main.isInUse === true };
  } catch (error) {
    throw explained(error, cancelled, 'No backup was written');
  } finally {
    await clickHouse?.close();
    await main.stop();
  }
}

/** Errors of the system and of PostgreSQL as such for operators; others are defects and stay as they are. */
export function explained(error: unknown, cancelled: AbortSignal, outcome: string): unknown {
  if (cancelled.aborted) return new BackupError(`Stopped. ${outcome}.`);
  const { code, message } = error as { code?: unknown; message: string };
  const isLost = message === 'Connection terminated unexpectedly';
  if (typeof code !== 'string' && !isLost) return error;
  return new BackupError(`${outcome}: ${message}`, { cause: error });
}
