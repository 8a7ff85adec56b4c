import type { AnalyticsContext } from '../analytics-context.ts';
import { deleteReturns, listReturns } from './return-store.ts';

/** Limits the events that one transaction of the store reads. */
const batchSize = 200;

/**
 * Marks the days that were aggregated while returned learners were opted out, so that the next nightly run restores
 * their rows [analytics-31] [D53]. Can be repeated and run concurrently. Returns `busy` if an aggregation of the brand
 * is running and `whenBusy` is `skip`, and `unfinished` after `limitMs`.
 * @throws ApiError `analytics_unavailable`
 */
export async function settleReturns(
  { database, analytics }: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
  { whenBusy, limitMs = Number.POSITIVE_INFINITY }: { whenBusy: 'wait' | 'skip'; limitMs?: number },
): Promise<'done' | 'busy' | 'unfinished'> {
  const start = performance.now();
  for (;;) {
    const returns = await listReturns(database, brandId, batchSize);
    if (returns.length === 0) return 'done';
    const learnerIds = [...new Set(returns.filter(({ isOut }) => !isOut).map(({ learnerId }) => learnerId))];
    if (learnerIds.length > 0 && !(await analytics.markDaysWithout(brandId, learnerIds, whenBusy)))
      return 'busy';
    const ids = returns.map(({ id }) => id);
    await database.transaction((tx) => deleteReturns(tx, brandId, ids));
    if (performance.now() - start > limitMs) return 'unfinished';
  }
}
