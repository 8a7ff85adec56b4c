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

/**
 * Giving up on Redis too early costs accuracy (each process then admits the full limit); giving up late delays the
 * requests of that moment. Redis responds within a millisecond, on an overloaded machine within about a hundred.
 */
export const productionTiming: RateLimitTiming = {
  windowMs: 60_000,
  answerLimitMs: 1_000,
  connectLimitMs: 2_000,
  retryDelayMs: 500,
  stableAfterMs: 30_000,
  maxRetryDelayMs: 30_000,
};
