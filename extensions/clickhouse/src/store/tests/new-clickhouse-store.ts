import { createTestDatabase } from '../../../../../server/test/support/test-database.ts';
import { createClickHouseDatabase } from '../../../test/support/clickhouse-database.ts';
import { createClickHouseAnalyticsStore } from './clickhouse-store.ts';
import { patient } from './patient-store.ts';

/** Creates a store with new databases. `prepare` is the caller's. */
export async function newClickHouseStore() {
  const { address, beforeClose, database, sql } = await createTestDatabase();
  const { url } = await createClickHouseDatabase();
  const store = patient(createClickHouseAnalyticsStore({ address, clickHouseUrl: url }));
  beforeClose(() => store.close());
  return { store, address, beforeClose, database, url, sql };
}
