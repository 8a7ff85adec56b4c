/** Milliseconds; production uses `productionTiming`, tests hand in shorter or more patient ones. */
export interface RateLimitTiming {
  /** Length of a window (contract, Limits: per minute). */
  readonly windowMs: number;
  /** How long a request waits for Redis before it is counted in this process. */
  readonly answerLimitMs: number;
  /** How long one attempt to reach Redis may take. */
  readonly connectLimitMs: number;
  /** Pause between two attempts to reach Redis. */
  readonly retryDelayMs: number;
}

export const productionTiming: RateLimitTiming = {
  windowMs: 60_000,
  answerLimitMs: 250,
  connectLimitMs: 2_000,
  retryDelayMs: 500,
};
