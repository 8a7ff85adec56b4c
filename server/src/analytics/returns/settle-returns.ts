import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalyticsContext } from '../analytics-context.ts';
import { settlingJob } from '../settling-job.ts';
import { deleteWaitingRows, listReturns } from '../waiting-rows-store.ts';

/** Limits the events that one transaction of the store reads. */
const batchSize = 200;

/**
 * Marks the days that were aggregated while returned learners were opted out, for the next nightly run [analytics-31] [D53].
 * Can be repeated and run concurrently. `busy`: an aggregation of the brand is running and `whenBusy` is `skip`; `unfinished`:
 * `limitMs` have passed.
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
    await database.transaction((tx) => deleteWaitingRows(tx, 'learner_returns', brandId, ids));
    if (performance.now() - start > limitMs) return 'unfinished';
  }
}

/** The longest time that a request waits for the marks. */
const waitMs = 1_000;

/**
 * Tries to mark the days of returned learners before the response is sent, so that the list of days includes the marks at once.
 * Never throws: otherwise the queued job or the nightly run marks them.
 */
export async function settleReturnsSoon(
  context: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
): Promise<void> {
  const settled = settleReturns(context, brandId, { whenBusy: 'skip', limitMs: 0 }).catch(() => {});
  const stop = new AbortController();
  await Promise.race([settled, sleep(waitMs, undefined, { signal: stop.signal }).catch(() => {})]);
  stop.abort();
}

export const returnsQueue = 'mark-days-of-returned-learners';

export const settleReturnsJob = settlingJob(returnsQueue, 'learner_returns', settleReturns);
