import type { ApiResponse } from './api-client.ts';

/** Returns the wait before the client's next request of the same kind, in milliseconds. */
export function pauseAfter({ headers }: Pick<ApiResponse, 'headers'>, now = Date.now()): number {
  const retryAfterSeconds = integerIn(headers, 'retry-after');
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  const resetAtSeconds = integerIn(headers, 'x-ratelimit-reset');
  if (resetAtSeconds === null || integerIn(headers, 'x-ratelimit-remaining') !== 0) return 0;
  // Both ends of the interval are times of the server's clock, since the client's may be wrong. `Date` is truncated to
  // seconds and the reset is rounded up, so this is never too short.
  const serverNow = Date.parse(headers.get('date') ?? '');
  return Math.max(0, resetAtSeconds * 1000 - (Number.isNaN(serverNow) ? now : serverNow));
}

function integerIn(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The outcome of a request: a response, or the failure of its connection. */
export type Outcome = { readonly response: ApiResponse } | { readonly connectionFailure: Error };

export type Verdict = 'done' | 'refused' | 'failed';

const unavailable = [502, 503, 504];

/**
 * Classifies an outcome:
 * - `done`: it is the final response.
 * - `refused`: a limit stopped it before anything happened, so every request may be sent again.
 * - `failed`: its effect is unknown (or, with its Idempotency-Key, it is still running), so only a request
 *   that is safe to repeat may be sent again.
 */
export function verdictOn(outcome: Outcome): Verdict {
  if ('connectionFailure' in outcome) return 'failed';
  const { status, json } = outcome.response;
  if (status === 429) return 'refused';
  if (unavailable.includes(status)) return 'failed';
  return status === 409 && codeOf(json) === 'idempotency_conflict' ? 'failed' : 'done';
}

function codeOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined;
}

/** Pause before the n-th repetition of a failed request, milliseconds: 0.2 s doubling up to 5 s, spread by a half. */
export function backoffMs(repetition: number, random = Math.random()): number {
  return Math.min(5_000, 200 * 2 ** (repetition - 1)) * (0.5 + random / 2);
}
