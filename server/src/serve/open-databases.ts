import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { Database } from '../postgres/database.ts';
import type { Lifetime } from './lifetime.ts';
import { type MainDatabase, openMainDatabase } from './main-database.ts';
import { openAnalyticsStore } from './open-analytics-store.ts';
import { Outage } from './outage.ts';

/** Transactions that still run when the databases are closed are cut after this. */
export const databaseCutMs = 250;
/** Shutdown writes memory to the disk; if that takes longer, PostgreSQL finishes it alone. */
const databaseStopMs = 8_000;
const probeMs = 2_000;

const writeTroubleLines = {
  disk_full: 'DATABASE DISK FULL',
  read_only: 'DATABASE READ-ONLY',
} as const;

interface OpenDatabases {
  readonly main: MainDatabase;
  readonly database: Database;
  readonly analytics: AnalyticsStore;
  /** The outages of the main database. */
  readonly outage: Outage;
}

/**
 * Opens the main database and the analytics store, both at the newest schema, and registers with `lifetime` what is open.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openDatabases(
  config: Config,
  applicationName: string,
  { log, lifetime, cancelled }: { log: Log; lifetime: Lifetime; cancelled: AbortSignal },
): Promise<OpenDatabases> {
  const main = await openMainDatabase(config, log, cancelled);
  lifetime.opened('embedded PostgreSQL', () => main.stop(), databaseStopMs);
  cancelled.throwIfAborted();
  const database = new Database({
    address: main.address,
    applicationName,
    onWriteTrouble: (trouble) => {
      if (trouble === null) log('info', 'database accepts writes again');
      else log('error', `${writeTroubleLines[trouble]}: writes are rejected until it recovers`);
    },
    onLoss: (error) => outage.failed(error),
  });
  const outage = new Outage({ log, name: 'database', probe: () => database.isReachable(probeMs) });
  lifetime.opened('database connections', () => {
    outage.close();
    return database.close(databaseCutMs);
  });
  const analytics = await openAnalyticsStore({
    url: config.analyticsUrl,
    engineUrl: config.engineUrl,
    main: main.address,
    log,
    cancelled,
    mainOutage: outage,
  });
  lifetime.opened('analytics store connections', () => analytics.close(databaseCutMs));
  return { main, database, analytics, outage };
}
