import type { Outcome } from './attempt.ts';
import type { ReceivedResponse } from './received-response.ts';

const firstWaitMs = 500;
const longestWaitMs = 20_000;
const jitter = 0.2;

const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Returns whether the same request may succeed later. */
export function isRetryableResponse(response: ReceivedResponse): boolean {
  if (retryableStatuses.includes(response.status)) return true;
  return response.status === 409 && codeOf(response.json()) === 'idempotency_conflict';
}

interface RetriedRequest {
  /** The request has the same effect once and twice: by its method, or by its Idempotency-Key. */
  readonly isRepeatable: boolean;
  readonly idempotencyKey: string | null;
}

export function isSuccess({ status }: ReceivedResponse): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns whether a request may be sent again. A request that is not repeatable is only sent again if the service
 * cannot have executed it. After a success that could not be read, the key gets the recorded response.
 */
export function mayRetry(outcome: Outcome, { isRepeatable, idempotencyKey }: RetriedRequest): boolean {
  if ('failure' in outcome) return isRepeatable || !outcome.mayHaveArrived;
  if (isSuccess(outcome.response)) return idempotencyKey !== null;
  if (!isRetryableResponse(outcome.response)) return false;
  return isRepeatable || outcome.response.status === 429;
}

/**
 * Returns the wait before the n-th retry, in milliseconds: what the service asks for, else 0.5 s doubling up to 20 s,
 * and up to a fifth more, so that clients that failed together do not return together.
 */
export function retryWaitMs(retry: number, askedMs: number | null, random: number = Math.random()): number {
  const waitMs = askedMs ?? Math.min(longestWaitMs, firstWaitMs * 2 ** (retry - 1));
  return waitMs * (1 + jitter * random);
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Returns the wait that `Retry-After` asks for, in milliseconds; null without the header. */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A proxy may send a date. It is compared with the `Date` of the same response, since clocks differ.
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.max(0, at - serverTime(headers, now));
}

/** Returns the server's clock when it sent the response, truncated to seconds; the local clock without a `Date`. */
export function serverTime(headers: Headers, now: number = Date.now()): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? now : date;
}
