// processes: starts ClickHouse's engine
import { isClickHouseInstalled } from '../../../../../test/support/clickhouse/clickhouse-engine.ts';
import { describeAnalyticsStore } from '../../tests/analytics-store-contract.ts';
import { newClickHouseStore } from './new-clickhouse-store.ts';

// [D193]
if (isClickHouseInstalled()) {
  const { store } = await newClickHouseStore();
  await store.prepare();
  describeAnalyticsStore('the analytics store in ClickHouse', store);
}
