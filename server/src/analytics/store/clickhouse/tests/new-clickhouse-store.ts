import { createClickHouseDatabase } from '../../../../../test/support/clickhouse/clickhouse-database.ts';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { createClickHouseAnalyticsStore } from '../clickhouse-analytics-store.ts';

/** Creates a store with databases of its own. `prepare` is the caller's. */
export async function newClickHouseStore() {
  const { address, beforeClose, sql } = await createTestDatabase();
  const { url } = await createClickHouseDatabase();
  const store = createClickHouseAnalyticsStore({ address, clickHouseUrl: url });
  beforeClose(() => store.close());
  return { store, address, url, sql };
}
