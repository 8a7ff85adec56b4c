import {
  type AnalyticsStore,
  createAnalyticsStore,
} from '../../../../../server/src/analytics/store/analytics-store.ts';
import type { OnAway } from '../../../../../server/src/analytics/store/store-databases.ts';
import type { DatabaseAddress } from '../../../../../server/src/postgres/connection-options.ts';
import { clickHouseAnalyticsEngine } from '../../clickhouse-engine.ts';

export interface ClickHouseStoreOptions {
  /** The PostgreSQL database of the store. */
  readonly address: DatabaseAddress;
  readonly clickHouseUrl: string;
  readonly onAway?: OnAway;
}

/** Creates an analytics store with its events and rows in ClickHouse. */
export function createClickHouseAnalyticsStore({
  clickHouseUrl,
  ...options
}: ClickHouseStoreOptions): AnalyticsStore {
  return createAnalyticsStore({
    ...options,
    createEngine: (databases) => clickHouseAnalyticsEngine(databases, clickHouseUrl),
  });
}
