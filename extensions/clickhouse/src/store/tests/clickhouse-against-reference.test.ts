// nightly: random events, compared with an independent computation
import { describeDatasetsAgainstReference } from '../../../../../server/src/analytics/datasets/tests/reference-contract.ts';
import { createTestApps } from '../../../../../server/test/support/test-apps.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

// [D193] [D194]
if (isClickHouseInstalled()) {
  const { store, address, url } = await newClickHouseStore();
  await store.prepare();
  const apps = await createTestApps({ analyticsAddress: address, engine: { store, url } });
  describeDatasetsAgainstReference(apps, 5);
}
