import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalyticsContext } from '../analytics-context.ts';
import { settleReturns } from './settle-returns.ts';

/** The longest time that a request waits for the marks. */
const waitMs = 1_000;

/**
 * Tries to mark the days of returned learners before the response is sent, so that the list of days includes the marks
 * at once. Never throws: if the store is unavailable, slow or busy with the brand, the queued job or the nightly run
 * marks them.
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
