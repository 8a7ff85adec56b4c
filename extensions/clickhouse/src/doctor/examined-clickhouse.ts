import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import { lockDatasets } from '../../../../server/src/analytics/store/coordination/aggregation-lock.ts';
import type { Outcomes } from '../../../../server/src/doctor/analytics/examination.ts';
import type { ExaminedStore } from '../../../../server/src/doctor/analytics/examined-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { markForTotals } from '../store/coordination/due-totals-store.ts';
import { retireTotals } from '../store/coordination/totals-store.ts';
import { examineClickHouse } from './examine-clickhouse.ts';

/** A store whose events and datasets are in ClickHouse. */
export function examinedClickHouse(database: Database, clickHouse: ClickHouse): ExaminedStore {
  return {
    database,
    examine: (main, brandId, cancelled) =>
      examineClickHouse(main, { store: database, clickHouse }, brandId, cancelled),
    beginRepair: (brandId, outcomes) => withdrawWrongTotals(database, brandId, outcomes),
  };
}

/**
 * Withdraws the running totals in which differences were found, under the lock of the brand's datasets, for which it waits.
 * Aggregations add up all days until the upkeep has written new ones. Returns whether there were any.
 */
async function withdrawWrongTotals(store: Database, brandId: number, outcomes: Outcomes): Promise<boolean> {
  const datasets = datasetNames.filter((name) => outcomes.of(`totals_${name}`) !== undefined);
  if (datasets.length === 0) return false;
  await store.transaction(async (tx) => {
    await lockDatasets(tx, brandId);
    for (const dataset of datasets) await retireTotals(tx, brandId, dataset);
    await markForTotals(tx, brandId);
  });
  return true;
}
