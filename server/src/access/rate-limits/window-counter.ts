/** One bucket that a request counts against. There is none for a limit of 0 (not limited). */
export interface Bucket {
  /** Identifies the bucket among all buckets of all domains; in Redis the name of its key. */
  readonly key: string;
  /** Requests that one window admits, at least 1. */
  readonly limit: number;
}

/** The state of a bucket's window after a request was decided. */
export interface WindowState {
  /** Requests counted in the window, including the one just admitted. */
  readonly used: number;
  /** End of the window, milliseconds since the Unix epoch. The window is over at this instant, not after it. */
  readonly endsAt: number;
}

/** The counter's verdict on one request. */
export interface Verdict {
  readonly admitted: boolean;
  /** The time of the decision, milliseconds since the Unix epoch, on the same clock as `endsAt`. */
  readonly now: number;
  /** One for each requested bucket, in their order. */
  readonly windows: readonly WindowState[];
}

/** The open windows of buckets. */
export interface Peek {
  /** The counter that counts now: Redis, shared by all processes, or this process alone. */
  readonly countedBy: 'process' | 'redis';
  /** One for each key, in their order; null: no window is open, and the next request begins one. */
  readonly windows: readonly (WindowState | null)[];
}

/**
 * Counts requests in fixed windows that begin with a bucket's first admitted request [platform-49].
 *
 * `take` is all or nothing and atomic: either every bucket has room and each counts the request, or none counts it.
 * Refused requests are never counted, so no count has to be undone, which could affect a later window.
 */
export interface WindowCounter {
  take(buckets: readonly Bucket[]): Promise<Verdict>;
  /** Returns the windows of buckets by their keys; counts nothing. */
  peek(keys: readonly string[]): Promise<Peek>;
}
