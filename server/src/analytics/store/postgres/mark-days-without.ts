import type { Transaction } from '../../../postgres/transaction.ts';
import type { AggregationOptions } from '../aggregation-types.ts';
import { lockDatasets, tryLockDatasets } from './aggregation-lock.ts';
import { listDaysWithout, markDays } from './brand-day-store.ts';

/**
 * See `AnalyticsStore.markDaysWithout`. Holds the lock of the brand's datasets: the rows of an uncommitted aggregation
 * are not visible, and it may have read the opt-outs before the learners came back.
 */
export async function markDaysWithout(
  tx: Transaction,
  brandId: number,
  learnerIds: readonly number[],
  whenBusy: AggregationOptions['whenBusy'],
): Promise<boolean> {
  if (whenBusy === 'wait') await lockDatasets(tx, brandId);
  else if (!(await tryLockDatasets(tx, brandId))) return false;
  const days = await listDaysWithout(tx, brandId, learnerIds);
  await markDays(
    tx,
    brandId,
    days.map((day) => ({ day, added: 0 })),
  );
  return true;
}
