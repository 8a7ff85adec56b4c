import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../api-client.ts';
import { backoffMs, pauseAfter, verdictOn } from '../retry-policy.ts';

const now = Date.parse('2026-03-01T08:30:00Z');
const date = new Date(now).toUTCString();
const resetIn = (seconds: number) => String(now / 1000 + seconds);

function answer(status: number, headers: Record<string, string> = {}, json: unknown = {}): ApiResponse {
  return { status, headers: new Headers(headers), bytes: Buffer.from(JSON.stringify(json)), json };
}

test('the next request waits for the reset only if nothing is left', () => {
  const limited = (remaining: string) =>
    answer(201, { date, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': resetIn(42) });
  assert.equal(pauseAfter(limited('0'), now), 42_000);
  assert.equal(pauseAfter(limited('1'), now), 0);
  assert.equal(pauseAfter(answer(200), now), 0);
});

test('the wait for a reset uses the server’s clock, and the client’s only without a Date', () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetIn(42) };
  const wrongClock = now - 3_600_000;
  assert.equal(pauseAfter(answer(201, { ...headers, date }), wrongClock), 42_000);
  assert.equal(pauseAfter(answer(201, headers), now + 2_000), 40_000);
  assert.equal(pauseAfter(answer(201, headers), now + 50_000), 0);
});

test('Retry-After has precedence over the reset, and is ignored if it is not a number of seconds', () => {
  const headers = { date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetIn(42) };
  assert.equal(pauseAfter(answer(429, { ...headers, 'retry-after': '7' }), now), 7_000);
  assert.equal(pauseAfter(answer(429, { ...headers, 'retry-after': 'soon' }), now), 42_000);
  assert.equal(pauseAfter(answer(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '' }), now), 0);
});

test('a refusal, a failure and an answer are distinguished', () => {
  const of = (status: number, json?: unknown) => verdictOn({ response: answer(status, {}, json) });
  assert.equal(of(429, { code: 'rate_limited' }), 'refused');
  for (const status of [502, 503, 504]) assert.equal(of(status), 'failed');
  assert.equal(verdictOn({ connectionFailure: new Error('gone') }), 'failed');
  assert.equal(of(409, { code: 'idempotency_conflict' }), 'failed');
  assert.equal(of(409, { code: 'duplicate_sku' }), 'done');
  for (const json of [undefined, null, 'text', []]) assert.equal(of(409, json), 'done');
  for (const status of [200, 201, 204, 400, 401, 403, 404, 422, 500]) assert.equal(of(status), 'done');
});

test('the pause between repetitions doubles up to five seconds and is spread by a half', () => {
  assert.deepEqual(
    [1, 2, 3, 5, 6, 10].map((repetition) => backoffMs(repetition, 1)),
    [200, 400, 800, 3_200, 5_000, 5_000],
  );
  assert.equal(backoffMs(1, 0), 100);
});
