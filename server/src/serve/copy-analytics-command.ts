import { engineNames } from '../analytics/store/coordination/engine-store.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { CopiedRows } from './analytics-engine.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { loadAnalyticsEngine } from './load-extensions.ts';
import { requireAnalytics } from './require-analytics.ts';
import { StartError } from './start-error.ts';

/**
 * `brandport analytics copy`: moves the events and datasets of the analytics store from PostgreSQL to the engine that the
 * settings name. Servers and workers must be stopped.
 * @throws StartError, StoreMismatch, EmbeddedPostgresError, MigrationError
 */
export async function runCopyAnalyticsCommand(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<CopiedRows> {
  const { engineUrl, analyticsUrl } = config;
  const engine = await loadAnalyticsEngine(engineUrl);
  if (engine === null) throw new StartError(`Set ${engineNames.setting} to the address to copy to.`);
  const main = await openDatabaseAsItIs(config, log);
  const address = analyticsUrl === null ? main.address : { url: analyticsUrl };
  try {
    await requireAnalytics(address);
    return await engine.copyFromPostgres({
      address,
      signal: cancelled,
      onCopied: (table, month, rows) => log('info', `copied ${rows} rows of ${table} in ${month}`),
    });
  } catch (error) {
    if (cancelled.aborted)
      throw new StartError('Stopped. The store is unchanged in PostgreSQL; the next copy starts over.');
    throw error;
  } finally {
    await main.stop();
  }
}
