import type { Bucket, Verdict, WindowCounter, WindowState } from './window-counter.ts';

export interface MemoryWindowCounter extends WindowCounter {
  /** Windows held in memory, some 200 bytes each. */
  countWindows(): number;
}

/** A counter in this process's memory, which is bounded by the number of distinct buckets within one window. Never rejects. */
export function createMemoryWindowCounter(windowMs: number): MemoryWindowCounter {
  /** All windows have one length, so those that end first are in front. */
  const open = new Map<string, WindowState>();

  function forgetEnded(now: number): void {
    for (const [key, { used, endsAt }] of open) {
      const isTooFar = endsAt > now + windowMs;
      if (endsAt > now && !isTooFar) return;
      open.delete(key);
      // The clock was set back: the window then ends as if it began now.
      if (isTooFar) open.set(key, { used, endsAt: now + windowMs });
    }
  }

  function read(key: string, now: number): WindowState {
    const window = open.get(key);
    if (window === undefined || window.endsAt <= now) return { used: 0, endsAt: now + windowMs };
    // Of a clock that was set back a little: the end must not be further away than a window is long.
    return { used: window.used, endsAt: Math.min(window.endsAt, now + windowMs) };
  }

  function count(key: string, { used, endsAt }: WindowState): WindowState {
    const window = { used: used + 1, endsAt };
    if (used === 0) open.delete(key);
    open.set(key, window);
    return window;
  }

  return {
    async take(buckets: readonly Bucket[]): Promise<Verdict> {
      const now = Date.now();
      forgetEnded(now);
      const windows = buckets.map(({ key }) => read(key, now));
      const admitted = buckets.every(({ limit }, index) => (windows[index]?.used ?? 0) < limit);
      if (!admitted) return { admitted, now, windows };
      const counted = buckets.map(({ key }, index) => count(key, windows[index] as WindowState));
      return { admitted, now, windows: counted };
    },
    countWindows() {
      forgetEnded(Date.now());
      return open.size;
    },
  };
}
