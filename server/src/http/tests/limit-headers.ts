import assert from 'node:assert/strict';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';

type WithHeaders = Pick<ApiResponse, 'headers'>;

/** Limit and what is left of it, as the headers say it. */
export function figures({ headers }: WithHeaders): [limit: number, remaining: number] {
  return [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])];
}

/** When the bucket is full again, Unix epoch seconds. */
export function resetOf({ headers }: WithHeaders): number {
  return Number(headers['x-ratelimit-reset']);
}

/** The response is a 429 of a bucket of this limit, with figures that agree with each other. */
export function assertDenied(response: ApiResponse, limit: number): void {
  assertRefused(response, 'rate_limited');
  assert.deepEqual(figures(response), [limit, 0]);
  const wait = Number(response.headers['retry-after']);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  const untilReset = resetOf(response) - Date.now() / 1000;
  assert.ok(Math.abs(untilReset - wait) <= 2, `${untilReset} s and ${wait} s`);
}
