import type { Transaction } from '../../../postgres/transaction.ts';
import type { AggregationOptions } from '../aggregation-types.ts';
import type { AnalyticsEngine } from '../engine.ts';
import { lockDatasetsOrSkip } from './aggregation-lock.ts';
import { markDays } from './brand-day-store.ts';

interface Returned extends Pick<AggregationOptions, 'whenBusy'> {
  readonly learnerIds: readonly number[];
}

/**
 * Marks the aggregated days that have events of one of the learners and do not count them [analytics-31]: all or none; safe to
 * repeat. Call it after the learners count again: an aggregation that begins later counts them. Waits for a running one, whose
 * rows are not visible and which may have read the earlier opt-outs, or, with `skip`, returns false and marks nothing.
 */
export async function markDaysWithout(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { learnerIds, whenBusy }: Returned,
): Promise<boolean> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return false;
  const days = await engine.listDaysWithout(tx, brandId, learnerIds);
  await markDays(
    tx,
    brandId,
    days.map((day) => ({ day, added: 0 })),
  );
  return true;
}
