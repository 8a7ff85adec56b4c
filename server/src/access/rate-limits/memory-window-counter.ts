import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Bucket, Verdict, WindowCounter, WindowState } from './window-counter.ts';

/** Counts in this process. */
export interface MemoryWindowCounter extends WindowCounter {
  /** Windows held in memory: those not yet ended, about 420 bytes each. */
  countWindows(): number;
}

/**
 * A counter in this process's memory. Windows are deleted when they end, by timers that do not keep the process
 * alive, so memory is bounded by the number of distinct buckets within one window. Never rejects.
 *
 * @param windowMs length of a window, in milliseconds
 */
export function createMemoryWindowCounter(windowMs: number): MemoryWindowCounter {
  // The library stores and expires the windows. Its own limit is set beyond reach, because its `consume` also counts
  // refused requests and decides one bucket only; here a refused request is not counted, and two buckets decide
  // together.
  const counted = new RateLimiterMemory({
    keyPrefix: '',
    points: Number.MAX_SAFE_INTEGER,
    duration: windowMs / 1000,
  });
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** Returns null if no window is open. */
  async function find(key: string): Promise<WindowState | null> {
    for (;;) {
      const now = Date.now();
      const reading = counted.get(key);
      // The library returns the remaining time, not the end, which is exact only if the clock did not advance in
      // between.
      if (Date.now() !== now) continue;
      const window = await reading;
      if (window === null || window.msBeforeNext <= 0) return null;
      // If the clock was set back, the reported end must not be further away than a window is long.
      return { used: window.consumedPoints, endsAt: now + Math.min(window.msBeforeNext, windowMs) };
    }
  }

  const read = async (key: string): Promise<WindowState> =>
    (await find(key)) ?? { used: 0, endsAt: Date.now() + windowMs };

  async function takeNow(buckets: readonly Bucket[]): Promise<Verdict> {
    const before = await Promise.all(buckets.map(({ key }) => read(key)));
    const admitted = buckets.every(({ limit }, index) => (before[index]?.used ?? 0) < limit);
    if (!admitted) return { admitted, now: Date.now(), windows: before };
    await Promise.all(buckets.map(({ key }) => counted.penalty(key)));
    const after = await Promise.all(buckets.map(({ key }) => read(key)));
    return { admitted, now: Date.now(), windows: after };
  }

  return {
    take(buckets) {
      // One request at a time, because reading and counting are separate steps in the library.
      const turn = lastTurn.then(() => takeNow(buckets));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    peek: async (keys) => ({ countedBy: 'process', windows: await Promise.all(keys.map(find)) }),
    countWindows: () => counted.dump().storage.length,
  };
}
