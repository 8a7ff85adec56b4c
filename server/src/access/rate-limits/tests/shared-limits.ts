/** Parts of the tests with several servers of Redis. */
import type { TestContext } from 'node:test';
import { createRateLimits, type RateLimits } from '../rate-limits.ts';
import { productionTiming } from '../window-counter.ts';

const settings = {
  catalogReads: 10,
  catalogWrites: 0,
  catalogBrand: 1_000,
  analyticsKey: 0,
  analyticsBrand: 0,
  address: 0,
  adminFailures: 0,
};
let keys = 0;

/** Opens two counters, as two processes would have, that log into the same lines. They are closed with the test. */
export async function openShared(t: TestContext, redisUrl: string) {
  const lines: string[] = [];
  const log = (level: string, message: string) => lines.push(`${level}: ${message}`);
  // Failures are found as fast as in production, while slow answers of a busy machine are none.
  const timing = { ...productionTiming, answerLimitMs: 3_000, connectLimitMs: 6_000, stableAfterMs: 0 };
  const open = () => createRateLimits({ settings, redisUrl, log }, timing);
  const counters = await Promise.all([open(), open()]);
  t.after(() => Promise.all(counters.map((limits) => limits.close())));
  return { counters, lines };
}

/**
 * Sends reads of a new key, of which a counter admits ten, to all counters in turn.
 * @returns how many were admitted, and whether Redis counted before and after them on all counters
 */
export async function countsOn(
  counters: readonly RateLimits[],
  reads: number,
  brandId = 1,
): Promise<{ admitted: number; shared: boolean }> {
  keys += 1;
  const request = { domain: 'catalog', keyId: `key-${keys}`, brandId, isRead: true } as const;
  const isShared = () => counters.every((limits) => limits.isShared() === true);
  const before = isShared();
  const decisions = await Promise.all(
    Array.from({ length: reads }, (_, at) => counters[at % counters.length]?.admitKey(request)),
  );
  const admitted = decisions.filter((decision) => decision?.deniedBy === null).length;
  return { admitted, shared: before && isShared() };
}
