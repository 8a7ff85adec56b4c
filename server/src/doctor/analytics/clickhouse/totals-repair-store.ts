import type { DatasetName } from '../../../analytics/store/aggregation-types.ts';
import { markForTotals } from '../../../analytics/store/clickhouse/coordination/due-totals-store.ts';
import { retireTotals } from '../../../analytics/store/clickhouse/coordination/totals-store.ts';
import { lockDatasets } from '../../../analytics/store/coordination/aggregation-lock.ts';
import type { Database } from '../../../postgres/database.ts';

/**
 * Withdraws the running totals of datasets, under the lock of the brand's datasets, for which it waits. Aggregations add up all
 * days until the upkeep has written new ones.
 */
export async function withdrawTotals(
  store: Database,
  brandId: number,
  datasets: readonly DatasetName[],
): Promise<void> {
  await store.transaction(async (tx) => {
    await lockDatasets(tx, brandId);
    for (const dataset of datasets) await retireTotals(tx, brandId, dataset);
    await markForTotals(tx, brandId);
  });
}
