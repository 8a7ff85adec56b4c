import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps({
  limits: { analytics_key: 4, analytics_brand: 6, catalog_key_reads: 9, address: 8 },
});

const figures = (headers: Readonly<Record<string, string>>) => [
  headers['x-ratelimit-limit'],
  headers['x-ratelimit-remaining'],
];

test('analytics has its own counters for the key and for the brand, which count any response', async () => {
  const { brandId, client } = await apps.newBrand();
  const { client: other } = await apps.newKey(brandId);
  const seen = [];
  for (const path of [
    '/status',
    '/metrics/daily',
    '/users/daily?from=x',
    '/users/daily?user=nobody',
    '/status',
  ]) {
    const { status, headers } = await client.get(`/analytics${path}`);
    seen.push([status, ...figures(headers)]);
  }
  assert.deepEqual(seen, [
    [200, '4', '3'],
    [200, '4', '2'],
    [422, '4', '1'],
    [404, '4', '0'],
    [429, '4', '0'],
  ]);
  const limited = await client.get('/analytics/metrics/contents');
  assert.equal(limited.json.code, 'rate_limited');
  const wait = Number(limited.headers['retry-after']);
  assert.ok(wait >= 1 && wait <= 60);

  // Four of the brand's six requests are used; the catalog's counters are unaffected.
  const second = [];
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await other.get('/analytics/status');
    second.push([status, ...figures(headers)]);
  }
  assert.deepEqual(second, [
    [200, '6', '1'],
    [200, '6', '0'],
    [429, '6', '0'],
  ]);
  assert.deepEqual(figures((await client.get('/catalog/products')).headers), ['9', '8']);
});

test('a request with an unknown method or path counts for the address, even with a key', async () => {
  const { client } = await apps.newBrand();
  const seen = [];
  for (const [method, path] of [
    ['HEAD', '/status'],
    ['POST', '/metrics/daily'],
    ['GET', '/metrics/products'],
  ] as const) {
    const { status, headers } = await client.request(method, `/analytics${path}`);
    seen.push([status, ...figures(headers)]);
  }
  assert.deepEqual(seen, [
    [405, '8', '7'],
    [405, '8', '6'],
    [404, '8', '5'],
  ]);
});
