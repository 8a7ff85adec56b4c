import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { ApiResponse } from '../../test/kit/api-client.ts';
import { createTestApps } from '../../test/kit/test-apps.ts';
import { newTuId } from '../lib/ids.ts';
import { assertRefused, counterAt } from './refusal.fixture.ts';

const apps = await createTestApps({
  limits: { catalogReads: 5, catalogWrites: 12, catalogBrand: 20, address: 6 },
});
const status = '/catalog/status';
const products = '/catalog/products';

/** Limit and what is left of it, as the headers say it. */
function figures({ headers }: Pick<ApiResponse, 'headers'>): [limit: number, remaining: number] {
  return [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])];
}

const resetOf = ({ headers }: Pick<ApiResponse, 'headers'>) => Number(headers['x-ratelimit-reset']);

function assertDenied(response: ApiResponse, limit: number): void {
  assertRefused(response, 'rate_limited');
  assert.deepEqual(figures(response), [limit, 0]);
  const wait = Number(response.headers['retry-after']);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  const untilReset = resetOf(response) - Date.now() / 1000;
  assert.ok(Math.abs(untilReset - wait) <= 2, `${untilReset} s and ${wait} s`);
}

/** The address bucket is per address: each test is a client of its own. */
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

describe('the bucket of a key', () => {
  it('shows its limit, what is left of it and when it is full again, then refuses until then', async () => {
    const { client } = await apps.newBrand();
    const earliest = Math.ceil((Date.now() + 60_000) / 1000);
    const first = await client.get(status);
    const latest = Math.ceil((Date.now() + 60_000) / 1000);
    assert.deepEqual(figures(first), [5, 4]);
    assert.ok(resetOf(first) >= earliest && resetOf(first) <= latest);
    for (const left of [3, 2, 1, 0]) {
      const answer = await client.get(status);
      assert.deepEqual([answer.status, ...figures(answer)], [200, 5, left]);
      assert.equal(resetOf(answer), resetOf(first));
      assert.equal(answer.headers['retry-after'], undefined);
    }
    for (let i = 0; i < 3; i += 1) {
      const denied = await client.get(status);
      assertDenied(denied, 5);
      assert.equal(resetOf(denied), resetOf(first));
    }
  });

  it('is one for reads, HEAD among them, and another for writes', async () => {
    const { client } = await apps.newBrand();
    assert.deepEqual(figures(await client.head(status)), [5, 4]);
    assert.deepEqual(figures(await client.get(status)), [5, 3]);
    assert.deepEqual(figures(await client.create(products, { sku: 'A' })), [12, 11]);
    assert.deepEqual(figures(await client.get(status)), [5, 2]);
  });

  it('belongs to that key alone', async () => {
    const { client, brandId } = await apps.newBrand();
    for (let i = 0; i < 6; i += 1) await client.get(status);
    const other = await apps.newKey(brandId);
    assert.deepEqual(figures(await other.client.get(status)), [5, 4]);
  });

  it('is not carried over to the successor of a key', async () => {
    const { client, keyId } = await apps.newBrand();
    await client.get(status);
    const { json } = await apps.admin.post(`/keys/${keyId}/rotate`);
    assert.deepEqual(figures(await apps.clientWith(json.api_key).get(status)), [5, 4]);
  });

  it('counts every answer that its key gets, refusals and replays among them', async () => {
    const { client, brandId } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'COUNTED' });
    const path = `${products}/${json.tu_id}`;
    const key = { 'idempotency-key': 'replayed' };
    const answers = [
      await client.patch(path, { title: 'x' }, key),
      await client.patch(path, { title: 'x' }, key),
      await client.patch(path, { title: 'y' }, key),
      await client.patch(`${products}/${newTuId()}`, {}),
      await client.create(products, { sku: 'COUNTED' }),
      await client.patch(path, { title: 5 }),
      await client.patch(path, '{'),
      await client.post(products, {}),
      await client.request('POST', products, {
        body: 'x',
        headers: { ...key, 'content-type': 'text/plain' },
      }),
      await client.patch(path, 'x'.repeat(1024 * 1024 + 1)),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.json.code ?? answer.status),
      [
        200,
        200,
        'idempotency_key_reuse',
        'not_found',
        'duplicate_sku',
        'validation_failed',
        'validation_failed',
        'idempotency_key_required',
        'unsupported_media_type',
        'payload_too_large',
      ],
    );
    assert.equal(answers[1]?.headers['idempotency-replayed'], 'true');
    assert.deepEqual(
      answers.map(figures),
      answers.map((_, i) => [12, 10 - i]),
    );
    const reader = await apps.newKey(brandId, ['catalog.products:read']);
    const forbidden = await reader.client.patch(path, {});
    assertRefused(forbidden, 'insufficient_scope');
    // Eleven writes of the one key, and this one: the brand has fewer left than the key.
    assert.deepEqual(figures(forbidden), [20, 8]);
  });
});

describe('the bucket of a brand', () => {
  it('is shown when it has less left, and refuses every key of the brand', async () => {
    const { brandId } = await apps.newBrand();
    for (let i = 0; i < 3; i += 1) {
      const { client } = await apps.newKey(brandId);
      for (let n = 0; n < 5; n += 1) await client.get(status);
    }
    const { client } = await apps.newKey(brandId);
    assert.deepEqual(figures(await client.get(status)), [5, 4]);
    assert.deepEqual(figures(await client.create(products, { sku: 'A' })), [20, 3]);
    assert.deepEqual(figures(await client.get(status)), [20, 2]);
    assert.deepEqual(figures(await client.get(status)), [20, 1]);
    assert.deepEqual(figures(await client.get(status)), [20, 0]);
    const denials = () =>
      counterAt(apps.metrics, 'brandport_rate_limit_denials_total', { bucket: 'catalog_brand' });
    const before = await denials();
    assertDenied(await client.get(status), 20);
    const fresh = await apps.newKey(brandId);
    assertDenied(await fresh.client.get(status), 20);
    assertDenied(await fresh.client.create(products, { sku: 'B' }), 20);
    assert.equal(await denials(), before + 3);

    const elsewhere = await apps.newBrand();
    assert.deepEqual(figures(await elsewhere.client.get(status)), [5, 4]);
  });

  it('loses nothing to a request that the bucket of its key refuses', async () => {
    const { client, brandId } = await apps.newBrand();
    for (let i = 0; i < 5; i += 1) await client.get(status);
    for (let i = 0; i < 40; i += 1) assertDenied(await client.get(status), 5);
    for (let i = 0; i < 2; i += 1) {
      const other = await apps.newKey(brandId);
      for (let n = 0; n < 5; n += 1) assert.equal((await other.client.get(status)).status, 200);
    }
    const last = await apps.newKey(brandId);
    // Sixteen requests were admitted. On a tie the bucket is shown that is full again later: the younger one.
    assert.deepEqual(figures(await last.client.get(status)), [5, 4]);
    assert.deepEqual(figures(await last.client.create(products, { sku: 'A' })), [20, 3]);
  });

  it('admits exactly its limit of many at once', async () => {
    const { brandId } = await apps.newBrand();
    const keys = await Promise.all(Array.from({ length: 10 }, () => apps.newKey(brandId)));
    const answers = await Promise.all(
      keys.flatMap(({ client }) => Array.from({ length: 5 }, () => client.get(status))),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 20);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 30);
  });
});

describe('the bucket of an address', () => {
  const missing = '/v1/client/nothing';

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

  it('counts an unknown path or method also when a valid key was sent, and the key is spared', async () => {
    const request = newAddress();
    const { apiKey, client } = await apps.newBrand();
    const headers = { authorization: `Bearer ${apiKey}` };
    assert.deepEqual(figures(await request('GET', missing, headers)), [6, 5]);
    assert.deepEqual(figures(await request('DELETE', `/v1/client${status}`, headers)), [6, 4]);
    assert.deepEqual(figures(await client.get(status)), [5, 4]);
  });

  it('does not stand in the way of a valid key', async () => {
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

describe('the internal listener', () => {
  it('has no limits', async () => {
    for (let i = 0; i < 30; i += 1) {
      const answer = await apps.admin.get('/brands?per_page=1');
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [200, undefined]);
    }
  });
});
