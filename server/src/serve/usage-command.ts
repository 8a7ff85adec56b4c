import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Database } from '../postgres/database.ts';
import { measureUsage, type Usage } from '../usage/measure-usage.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { openOwnEngine } from './open-engine.ts';
import { requireAnalytics } from './require-analytics.ts';

/** A statement that takes longer is left out of the result. */
const limits = { connect: 5_000, lock: 5_000, statement: 30_000, answer: 40_000, idleTransaction: 60_000 };

/** The last days, from which growth is estimated. */
const growthDays = 30;

/**
 * `brandport usage`: measures what the data occupies, next to a server or without one. Reads only.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function runUsageCommand(config: Config, log: Log, cancelled: AbortSignal): Promise<Usage> {
  const main = await openDatabaseAsItIs(config, log);
  const open = (address: typeof main.address) =>
    new Database({ address, applicationName: 'brandport-usage', poolSize: 1, readPoolSize: 1, limits });
  const analyticsAddress = config.analyticsUrl === null ? main.address : { url: config.analyticsUrl };
  const [database, store] = [open(main.address), open(analyticsAddress)];
  let engine: OpenEngine | null = null;
  try {
    await requireAnalytics(analyticsAddress);
    engine = await openOwnEngine(config.engineUrl, store);
    const options = { keep: config.keep, now: systemClock.now(), growthDays, cancelled };
    return await measureUsage({ main: database, store, engine }, options);
  } finally {
    await engine?.close();
    await store.close();
    await database.close();
    await main.stop();
  }
}
