/** Milliseconds; production uses `productionTiming`, tests hand in shorter or more patient ones. */
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
  /** The longest pause that an unstable Redis leads to. */
  readonly maxRetryDelayMs: number;
}

/**
 * A Redis that is given up too early costs exactness (each process then admits the full limit), one that is given up
 * late costs the requests of one moment their patience. Redis answers within a millisecond, on a starved machine within
 * some hundred.
 */
export const productionTiming: RateLimitTiming = {
  windowMs: 60_000,
  answerLimitMs: 1_000,
  connectLimitMs: 2_000,
  retryDelayMs: 500,
  stableAfterMs: 30_000,
  maxRetryDelayMs: 30_000,
};
