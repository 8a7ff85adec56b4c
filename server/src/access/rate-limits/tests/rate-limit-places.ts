/** Shared parts of the tests that run with counters in memory and with counters in Redis. */
import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlimited } from '../../../../test/support/limits.ts';
import { startRedis } from '../../../../test/support/redis-server.ts';
import {
  type ConfiguredLimits,
  createRateLimits,
  type KeyRequest,
  type RateDecision,
  type RateLimits,
} from '../rate-limits.ts';
import { productionTiming } from '../window-counter.ts';

export interface Place {
  readonly name: string;
  readonly redisUrl: string | null;
  readonly skip: boolean;
}

const redis = await startRedis();
after(() => redis?.stop());

/** The same behaviour is promised in both places, so the same tests run on both. */
export const places: readonly Place[] = [
  { name: 'in memory', redisUrl: null, skip: false },
  { name: 'on Redis', redisUrl: redis?.url ?? null, skip: redis === null },
];

let brands = 0;

/** A brand that no other test uses. */
export function nextBrand(): number {
  brands += 1;
  return brands;
}

/** Limits that count in the given place all through the test, and a brand for it. What is not set is not limited. */
export async function openLimits(
  t: TestContext,
  place: Place,
  configured: Partial<ConfiguredLimits>,
  windowMs = 60_000,
): Promise<{ limits: RateLimits; brandId: number }> {
  const lines: string[] = [];
  const limits = await createRateLimits(
    {
      configured: { ...unlimited, ...configured },
      redisUrl: place.redisUrl,
      log: (level, message) => lines.push(`${level}: ${message}`),
    },
    // Patient with Redis: a busy test machine must not turn these tests into tests of the memory.
    { ...productionTiming, windowMs, answerLimitMs: 5_000, connectLimitMs: 10_000 },
  );
  t.after(async () => {
    await limits.close();
    assert.deepEqual(lines, [], 'Redis was in use all the time');
  });
  return { limits, brandId: nextBrand() };
}

/** A read of the catalog. */
export function read(keyId: string, brandId: number): KeyRequest {
  return { domain: 'catalog', keyId, brandId, isRead: true };
}

/** Runs so many at once. */
export function times<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

export function admitted(decisions: (RateDecision | null)[]): (RateDecision | null)[] {
  return decisions.filter((decision) => decision?.deniedBy === null);
}

/** Waits until an instant has come: some rules are about time, and no condition but the clock shows it. */
export async function until(instant: number): Promise<void> {
  while (Date.now() < instant) await sleep(instant - Date.now());
}
