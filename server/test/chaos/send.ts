import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../support/api-client.ts';
import { type HttpRequestOptions, sendHttp } from '../support/http-client.ts';

/** Responses that a client meets during kills, counted. */
export interface Outcomes {
  requests: number;
  /** Closed connections, and responses of the proxy or of a server that ask for another attempt. */
  retries: number;
}

const giveUpAfterMs = 60_000;

/**
 * Sends until a server answers. Only these may come before: a closed connection, a 502, 503 or 504 of server or proxy with
 * `Retry-After`, and the conflict with the same key's first request, which still runs.
 *
 * @param urls tried in turn
 * @throws AssertionError for any other refusal, above all 500
 */
export async function sendUntilAnswered(
  urls: () => readonly string[],
  options: HttpRequestOptions,
  outcomes: Outcomes,
): Promise<ApiResponse> {
  const start = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const known = urls();
    const url = known[attempt % known.length];
    const response = url === undefined ? null : await sendHttp(url, options).catch(() => null);
    outcomes.requests += 1;
    if (response !== null && response.status < 400) return response;
    if (response !== null) assert.ok(mayRetry(response), `${url}: ${response.status} ${response.text}`);
    outcomes.retries += 1;
    assert.ok(performance.now() - start < giveUpAfterMs, `${url} is not answered: ${response?.text}`);
    await sleep(50);
  }
}

function mayRetry({ status, headers, json }: ApiResponse): boolean {
  if (status === 409) return json?.code === 'idempotency_conflict';
  return [502, 503, 504].includes(status) && headers['retry-after'] !== undefined;
}
