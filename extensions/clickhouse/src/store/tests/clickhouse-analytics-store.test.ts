// nightly: the whole contract of a store, on all processors
import { describeAnalyticsStore } from '../../../../../server/src/analytics/store/tests/analytics-store-contract.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

// [D193]
if (isClickHouseInstalled()) {
  const { store } = await newClickHouseStore();
  await store.prepare();
  describeAnalyticsStore('the analytics store in ClickHouse', store);
}
