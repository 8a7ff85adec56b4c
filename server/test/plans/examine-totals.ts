import assert from 'node:assert/strict';
import {
  deleteTotalsMarks,
  listDueTotals,
  lockTotalsMarks,
  markForTotals,
} from '../../../extensions/clickhouse/src/store/coordination/due-totals-store.ts';
import type { TestApps } from '../support/test-apps.ts';

/** Runs what the upkeep of a store in ClickHouse asks PostgreSQL about running totals; no request does. */
export async function examineTotals({ database }: TestApps, brandId: number): Promise<void> {
  await database.transaction((tx) => markForTotals(tx, brandId));
  await database.transaction(async (tx) => {
    const brandIds = await lockTotalsMarks(tx, 0, 200);
    assert.deepEqual(brandIds, [brandId]);
    await listDueTotals(tx, 1, brandIds);
    await deleteTotalsMarks(tx, brandIds);
  });
}
