import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import { findStore } from '../analytics/store/clickhouse/coordination/store-identity-store.ts';
import { createPostgresAnalyticsStore } from '../analytics/store/postgres/postgres-analytics-store.ts';
import type { OnAway } from '../analytics/store/store-availability.ts';
import { StoreMismatch } from '../analytics/store/store-mismatch.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';

export interface CreateStoreOptions {
  /** The PostgreSQL database of the analytics store. */
  readonly address: DatabaseAddress;
  /** `BRANDPORT_CLICKHOUSE_URL`; null: events and rows are in PostgreSQL. */
  readonly clickHouseUrl: string | null;
  readonly onAway?: OnAway;
}

/** An analytics store, and what it needs after the migrations and before it is used. */
export interface CreatedStore {
  readonly store: AnalyticsStore;
  /**
   * Creates what is missing, and checks that the events are where the settings say.
   * @throws StoreMismatch; ApiError `analytics_unavailable`
   */
  prepare(): Promise<void>;
}

/** Creates the analytics store that the settings name. ClickHouse's client is loaded only if it is used. */
export async function createAnalyticsStore({
  address,
  clickHouseUrl,
  onAway = () => {},
}: CreateStoreOptions): Promise<CreatedStore> {
  if (clickHouseUrl === null)
    return {
      store: createPostgresAnalyticsStore({ address, onAway }),
      prepare: () => requireEventsInPostgres(address),
    };
  const { createClickHouseAnalyticsStore } = await import(
    '../analytics/store/clickhouse/clickhouse-analytics-store.ts'
  );
  const store = createClickHouseAnalyticsStore({ address, clickHouseUrl, onAway });
  return { store, prepare: () => store.prepare() };
}

/** @throws StoreMismatch if the events of the store are in ClickHouse */
export async function requireEventsInPostgres(address: DatabaseAddress): Promise<void> {
  const database = new Database({
    address,
    applicationName: 'brandport-analytics',
    poolSize: 1,
    readPoolSize: 1,
  });
  try {
    if ((await findStore(database)) !== null)
      throw new StoreMismatch(
        'The events of this analytics store are in ClickHouse. Set BRANDPORT_CLICKHOUSE_URL to the address of its database.',
      );
  } finally {
    await database.close();
  }
}
