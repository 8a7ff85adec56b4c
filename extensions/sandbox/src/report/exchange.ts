export interface Exchange {
  readonly requestId: string;
  readonly brandId: number;
  readonly keyId: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The digest of method, path, query and body: a retry has the same. null: the body was not read. */
  readonly fingerprint: string | null;
  readonly idempotencyKey: string | null;
  readonly needsKey: boolean;
  readonly isConditional: boolean;
  readonly sku: string | null;
  /** The body without its SKU; null: it has nothing else. */
  readonly besideSku: string | null;
  /** A price with the noise of floating-point arithmetic. */
  readonly noisyPrice: number | null;
  /** Names that were ignored, as `X-Ignored` lists them. */
  readonly ignored: string | null;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly code: string | null;
  readonly retryAfterMs: number;
  readonly isReplay: boolean;
  /** False if the response was lost, cut, or not read to its end. */
  readonly isDelivered: boolean;
  readonly lastPage: number;
  /** The resource that a 409 names as the owner. */
  readonly ownerId: string | null;
  readonly expectedQuantity: number | null;
  /** The quantity that a 409 names: a next `expected_quantity` of it has looked. */
  readonly currentQuantity: number | null;
  readonly feedId: string | null;
}

/** Returns whether the program has seen that the request succeeded. */
export function isSeenSuccess({ status, isDelivered }: Exchange): boolean {
  return isDelivered && status < 300;
}

/** Returns whether the request may succeed if it is sent again. */
export function isRetryable({ status, code, isDelivered }: Exchange): boolean {
  return !isDelivered || status === 429 || status >= 500 || code === 'idempotency_conflict';
}

/** Returns whether two requests are the same; if the body of one was not read, whether they may be. */
export function isSame(a: Exchange, b: Exchange): boolean {
  if (a.fingerprint !== null && b.fingerprint !== null) return a.fingerprint === b.fingerprint;
  return a.method === b.method && a.path === b.path;
}

/** Returns whether `later` was sent when the response of `earlier` had ended. */
export function isAfter(later: Exchange, earlier: Exchange): boolean {
  return later.startedAt >= earlier.endedAt;
}
