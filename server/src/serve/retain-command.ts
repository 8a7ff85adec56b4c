import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Database } from '../postgres/database.ts';
import { applyRetention, PoliciesNotApplied, type PolicyOutcome } from '../retention/apply-retention.ts';
import { createAnalyticsStore } from './create-analytics-store.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { requireAnalytics } from './require-analytics.ts';
import { StartError } from './start-error.ts';

/**
 * `brandport retain`: does the work of the daily job now, next to a server or without one.
 * @throws StartError if a policy could not be applied; EmbeddedPostgresError, MigrationError
 */
export async function runRetainCommand(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<PolicyOutcome[]> {
  const main = await openDatabaseAsItIs(config, log);
  const analyticsAddress = config.analyticsUrl === null ? main.address : { url: config.analyticsUrl };
  const database = new Database({
    address: main.address,
    applicationName: 'brandport-retain',
    poolSize: 2,
    readPoolSize: 1,
  });
  const { store: analytics, prepare } = await createAnalyticsStore({
    address: analyticsAddress,
    engineUrl: config.engineUrl,
  });
  try {
    await requireAnalytics(analyticsAddress);
    await prepare();
    const context = { database, analytics, clock: systemClock };
    return await applyRetention(context, { keep: config.keep, signal: cancelled });
  } catch (error) {
    if (cancelled.aborted) throw new StartError('Stopped. Run the command again to drop the rest.');
    throw error instanceof PoliciesNotApplied
      ? new StartError(`Not all was dropped: ${error.message}`)
      : error;
  } finally {
    await analytics.close(0);
    await database.close();
    await main.stop();
  }
}
