import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { assertDenied, figures, resetOf } from './limit-headers.ts';

const apps = await createTestApps({
  limits: { catalog_key_reads: 5, catalog_key_writes: 12, catalog_brand: 20, address: 6 },
});
const status = '/catalog/status';
const products = '/catalog/products';

/** The address bucket is per address: each test is another client. */
let lastAddress = 0;
function newAddress() {
  lastAddress += 1;
  const remoteAddress = `203.0.113.${lastAddress}`;
  return async (method: string, url: string, headers: Record<string, string> = {}): Promise<ApiResponse> => {
    const answer = await apps.clientApp.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers,
      remoteAddress,
    });
    const { statusCode, body } = answer;
    return {
      status: statusCode,
      headers: answer.headers as Record<string, string>,
      text: body,
      json: body === '' ? undefined : JSON.parse(body),
    };
  };
}

describe('the bucket of an address', () => {
  const missing = '/v1/client/nothing';

  // [platform-54]
  it('counts what no valid key stands behind: 401, 404 and 405', async () => {
    const request = newAddress();
    const earliest = Math.ceil((Date.now() + 60_000) / 1000);
    const answers = [
      await request('GET', `/v1/client${status}`),
      await request('GET', `/v1/client${status}`, { authorization: 'Bearer nonsense' }),
      await request('GET', missing),
      await request('DELETE', `/v1/client${status}`),
      await request('GET', '/%zz'),
      await request('HEAD', `/v1/client${products}/${'a'.repeat(600)}`),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [401, 401, 404, 405, 404, 404],
    );
    assert.deepEqual(
      answers.map(figures),
      [5, 4, 3, 2, 1, 0].map((left) => [6, left]),
    );
    assert.equal(new Set(answers.map(resetOf)).size, 1);
    assert.ok(resetOf(answers[0] as ApiResponse) >= earliest);
  });

  it('refuses all of these once it is empty', async () => {
    const request = newAddress();
    for (let i = 0; i < 6; i += 1) await request('GET', missing);
    for (const [method, url] of [
      ['GET', missing],
      ['GET', `/v1/client${status}`],
      ['DELETE', `/v1/client${status}`],
      ['POST', '/%zz'],
      ['PATCH', `/v1/client${products}/${'a'.repeat(600)}`],
    ] as const)
      assertDenied(await request(method, url), 6);
  });

  // [platform-55]
  it('counts an unknown path or method also when a valid key was sent, and the key is spared', async () => {
    const request = newAddress();
    const { apiKey, client } = await apps.newBrand();
    const headers = { authorization: `Bearer ${apiKey}` };
    assert.deepEqual(figures(await request('GET', missing, headers)), [6, 5]);
    assert.deepEqual(figures(await request('DELETE', `/v1/client${status}`, headers)), [6, 4]);
    assert.deepEqual(figures(await client.get(status)), [5, 4]);
  });

  it('does not block a valid key', async () => {
    const request = newAddress();
    const { apiKey } = await apps.newBrand();
    for (let i = 0; i < 8; i += 1) await request('GET', missing);
    const answer = await request('GET', `/v1/client${status}`, { authorization: `Bearer ${apiKey}` });
    assert.deepEqual([answer.status, ...figures(answer)], [200, 5, 4]);
  });

  it('is not moved by what a client says about its address', async () => {
    const request = newAddress();
    const lies = {
      'x-forwarded-for': '198.51.100.7',
      forwarded: 'for=198.51.100.7',
      'x-real-ip': '198.51.100.7',
    };
    assert.deepEqual(figures(await request('GET', missing)), [6, 5]);
    assert.deepEqual(figures(await request('GET', missing, lies)), [6, 4]);
  });

  it('is not counted by the probes', async () => {
    const request = newAddress();
    for (let i = 0; i < 10; i += 1) {
      const answer = await request('GET', i % 2 === 0 ? '/healthz' : '/readyz');
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [200, undefined]);
    }
    assert.deepEqual(figures(await request('GET', missing)), [6, 5]);
  });
});
