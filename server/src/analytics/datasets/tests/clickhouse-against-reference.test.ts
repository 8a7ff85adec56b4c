// processes: starts ClickHouse's engine
import { isClickHouseInstalled } from '../../../../test/support/clickhouse/clickhouse-engine.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newClickHouseStore } from '../../store/clickhouse/tests/new-clickhouse-store.ts';
import { describeDatasetsAgainstReference } from './reference-contract.ts';

// [D193] [D194]
if (isClickHouseInstalled()) {
  const { store, address, url } = await newClickHouseStore();
  await store.prepare();
  const apps = await createTestApps({ analyticsAddress: address, clickHouse: { store, url } });
  describeDatasetsAgainstReference(apps, 5);
}
