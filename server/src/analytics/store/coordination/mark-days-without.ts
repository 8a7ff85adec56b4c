import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { AggregationOptions } from '../aggregation-types.ts';
import { lockDatasetsOrSkip } from './aggregation-lock.ts';
import { markDays } from './brand-day-store.ts';

/**
 * Lists the aggregated days, raw events kept, on which one of the learners has events but no row of `users`. Every aggregation
 * that counts a learner writes that row, so its absence proves, without clocks, that the last one did not. The caller holds the
 * lock of the brand's datasets.
 */
export type ListDaysWithout = (
  tx: Transaction,
  brandId: number,
  learnerIds: readonly number[],
) => Promise<readonly Day[]>;

/**
 * See `AnalyticsStore.markDaysWithout`. Holds the lock of the brand's datasets: the rows of an uncommitted aggregation are not
 * visible, and it may have read the opt-outs before the learners came back.
 */
export async function markDaysWithout(
  tx: Transaction,
  brandId: number,
  learnerIds: readonly number[],
  { whenBusy, listDaysWithout }: Pick<AggregationOptions, 'whenBusy'> & { listDaysWithout: ListDaysWithout },
): Promise<boolean> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return false;
  const days = await listDaysWithout(tx, brandId, learnerIds);
  await markDays(
    tx,
    brandId,
    days.map((day) => ({ day, added: 0 })),
  );
  return true;
}
