import type { KeyBucketName } from '../../api/access.ts';

/** One bucket that a request counts against. There is none for a limit of 0 (not limited). */
export interface Bucket {
  /** Identifies the bucket among all buckets of all domains; in Redis the name of its key. */
  readonly key: string;
  /** Requests that one window admits; 0: the window is only read. */
  readonly limit: number;
}

/** The state of a bucket's window after a request was decided. One that nothing has used is not open. */
export interface WindowState {
  /** Requests counted in the window, including the one just admitted. */
  readonly used: number;
  /** End of the window, milliseconds since the Unix epoch. The window is over at this instant, not after it. */
  readonly endsAt: number;
}

export interface Verdict {
  readonly admitted: boolean;
  /** The time of the decision, milliseconds since the Unix epoch, on the same clock as `endsAt`. */
  readonly now: number;
  /** One for each requested bucket, in their order. */
  readonly windows: readonly WindowState[];
}

/**
 * Counts requests in fixed windows that begin with a bucket's first admitted request [platform-49]. `take` is all or nothing and
 * atomic: either every bucket has room and each counts the request, or none counts it.
 */
export interface WindowCounter {
  take(buckets: readonly Bucket[]): Promise<Verdict>;
}

/** Durations in milliseconds; production uses `productionTiming`, tests shorter or longer ones. */
export interface RateLimitTiming {
  /** Length of a window [platform-49]. */
  readonly windowMs: number;
  /** Time that a request waits for Redis before it is counted in this process. */
  readonly answerLimitMs: number;
  /** Time for one attempt to reach Redis. */
  readonly connectLimitMs: number;
  /** Pause between two attempts to reach Redis. */
  readonly retryDelayMs: number;
  /** A connection that is lost sooner than this counts as unstable: the pause before the next attempt doubles. */
  readonly stableAfterMs: number;
  /** The longest pause after an unstable connection. */
  readonly maxRetryDelayMs: number;
}

/** Giving up on Redis too early costs accuracy (each process admits the full limit); giving up late delays requests. */
export const productionTiming: RateLimitTiming = {
  windowMs: 60_000,
  answerLimitMs: 1_000,
  connectLimitMs: 2_000,
  retryDelayMs: 500,
  stableAfterMs: 30_000,
  maxRetryDelayMs: 30_000,
};

/** The buckets [platform-46], as errors, logs and metrics name them. */
export type BucketName = KeyBucketName | 'address' | 'sign_in' | 'admin_failures';

export interface NamedBucket extends Bucket {
  readonly name: BucketName;
}

/** The rate limit values that one response reports: those of the most constrained bucket. */
export interface RateDecision {
  /** The bucket that refused the request; `null` = admitted. */
  readonly deniedBy: BucketName | null;
  /** Requests that one window admits (`X-RateLimit-Limit`). */
  readonly limit: number;
  /** Requests left in the window after this one (`X-RateLimit-Remaining`). */
  readonly remaining: number;
  /** End of the window, Unix epoch seconds, rounded up (`X-RateLimit-Reset`). */
  readonly resetAt: number;
  /** Seconds after which the bucket has room again (`Retry-After`): at least 1 when denied, 0 when admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Converts a counter's verdict to the values that the client receives. The bucket with the fewest requests left is shown, on a
 * tie the one that resets later [platform-51]; a denial names an exhausted one by the same rule.
 */
export function decideRate(buckets: readonly NamedBucket[], verdict: Verdict): RateDecision {
  const [tightest] = buckets
    .map((bucket, index) => {
      const window = verdict.windows[index];
      if (window === undefined) throw new RangeError('a rate limit bucket has no window');
      return { bucket, remaining: Math.max(0, bucket.limit - window.used), endsAt: window.endsAt };
    })
    .sort((a, b) => a.remaining - b.remaining || b.endsAt - a.endsAt);
  if (tightest === undefined) throw new RangeError('a rate limit decision needs a bucket');

  return {
    deniedBy: verdict.admitted ? null : tightest.bucket.name,
    limit: tightest.bucket.limit,
    remaining: tightest.remaining,
    resetAt: Math.ceil(tightest.endsAt / 1000),
    retryAfterSeconds: verdict.admitted ? 0 : Math.max(1, Math.ceil((tightest.endsAt - verdict.now) / 1000)),
  };
}

interface MemoryWindowCounter extends WindowCounter {
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
    // The clock may have been set back a little: the end is never further away than a window is long.
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
