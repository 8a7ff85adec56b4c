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
