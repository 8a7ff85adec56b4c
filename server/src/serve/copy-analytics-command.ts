import { type CopiedRows, copyFromPostgres } from '../analytics/store/clickhouse/copy/copy-from-postgres.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { requireAnalytics } from './require-analytics.ts';
import { StartError } from './start-error.ts';

/**
 * `brandport analytics copy`: moves the events and datasets of the analytics store from PostgreSQL to the ClickHouse that the
 * settings name. Servers and workers must be stopped.
 * @throws StartError, StoreMismatch, EmbeddedPostgresError, MigrationError
 */
export async function runCopyAnalyticsCommand(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<CopiedRows> {
  const { clickHouseUrl, analyticsUrl } = config;
  if (clickHouseUrl === null) throw new StartError('Set BRANDPORT_CLICKHOUSE_URL to the address to copy to.');
  const main = await openDatabaseAsItIs(config, log);
  const address = analyticsUrl === null ? main.address : { url: analyticsUrl };
  try {
    await requireAnalytics(address);
    return await copyFromPostgres({
      address,
      clickHouseUrl,
      signal: cancelled,
      onCopied: (table, { from }, rows) =>
        log('info', `copied ${rows} rows of ${table} in ${from.slice(0, 7)}`),
    });
  } catch (error) {
    if (cancelled.aborted)
      throw new StartError('Stopped. The store is unchanged in PostgreSQL; the next copy starts over.');
    throw error;
  } finally {
    await main.stop();
  }
}
