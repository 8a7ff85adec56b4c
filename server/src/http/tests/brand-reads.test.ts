import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiClient, createApiClient } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { scopes } from '../../api/access.ts';
import { sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { clientDomains } from '../operations.ts';

const apps = await createTestApps({ limits: { catalog_key_reads: 60, analytics_key: 60 } });
const { brandId, client: writer } = await apps.newBrand();
const foreign = await apps.newBrand({ name: 'Foreign' });
const reader = await apps.newKey(
  brandId,
  scopes.filter((scope) => scope.endsWith(':read')),
);
const { json: product } = await writer.create('/catalog/products', { sku: 'READ', title: 'Größe „M“' });
await writer.create(`/catalog/products/${product.tu_id}/stock/adjust`, { quantity: 7 });
const { json: feed } = await sendFeed(writer, [{ sku: 'READ', location_code: 'WH', quantity: 3 }]);
assert.ok(feed.feed_id, 'stays queued: no worker runs here');

const reads = clientDomains.flatMap(({ domain, operations }) =>
  operations
    .filter(({ method, path }) => method === 'GET' && path !== '/status')
    .map(({ id, path }) => {
      const tuId = path.startsWith('/stock/feeds/') ? feed.feed_id : product.tu_id;
      return { id, path: `/${domain}${path.replace(':tuId', tuId)}` };
    }),
);

function internal(token: string, brand: number): ApiClient {
  return createApiClient(apps.internalApp, { prefix: `/internal/v1/brands/${brand}`, token });
}

// [internal-127] [D164]
describe('the reads of the client API as a brand', () => {
  const own = internal(testAdminToken, brandId);

  for (const { id, path } of reads)
    it(`return what a key of the brand gets: ${id}`, async () => {
      const [mine, theirs] = [await own.get(path), await reader.client.get(path)];
      assert.deepEqual([mine.status, theirs.status], [200, 200], mine.text);
      assert.deepEqual(mine.json, theirs.json);
      assert.equal(mine.headers['etag'], theirs.headers['etag']);
      assert.equal(mine.headers['x-ratelimit-limit'], undefined);
      assertRefused(await internal(foreign.apiKey, brandId).get(path), 'unauthenticated');
    });

  it('cover every read but the status, and none with a parameter named like the brand', () => {
    assert.ok(reads.length >= 14, `${reads.length} reads`);
    assert.ok(!reads.some(({ path }) => path.split('/').includes(':id')));
  });

  it('have an entry in the document of the internal surface, which leads to the reference of the client API', async () => {
    const { paths } = (await apps.internalApp.inject('/internal/openapi.json')).json();
    const entries = [
      ['/catalog/', paths['/internal/v1/brands/{id}/catalog/{path}']],
      ['/analytics/', paths['/internal/v1/brands/{id}/analytics/{subject}/{dataset}']],
    ] as const;
    for (const { id, path } of reads) {
      const [, entry] = entries.find(([prefix]) => path.startsWith(prefix)) ?? [];
      assert.match(entry?.get.description ?? '', /`\/docs\/` of the client listener/, id);
    }
    assert.equal((await apps.clientApp.inject('/docs/')).statusCode, 200);
  });

  it('answer HEAD where the client API does', async () => {
    const { headers } = await own.get('/catalog/products');
    const head = await own.request('HEAD', '/catalog/products');
    assert.deepEqual([head.status, head.text, head.headers['etag']], [200, '', headers['etag']]);
    assert.equal((await own.request('HEAD', '/analytics/metrics/daily')).status, 405);
  });

  it('answer 304 to the tag of a key, and have no limits', async () => {
    const path = `/catalog/products/${product.tu_id}`;
    const { headers } = await reader.client.get(path);
    for (let i = 0; i < 80; i += 1)
      assert.equal((await own.get(path, { 'if-none-match': String(headers['etag']) })).status, 304);
  });

  it('hide the resources of other brands', async () => {
    const other = internal(testAdminToken, foreign.brandId);
    assertRefused(await other.get(`/catalog/products/${product.tu_id}`), 'not_found');
    assert.deepEqual((await other.get('/catalog/products')).json.data, []);
  });

  it('are 404 for a brand that does not exist, or is not the caller’s', async () => {
    for (const brand of [2_147_483_647, 0, -1])
      assertRefused(await internal(testAdminToken, brand).get('/catalog/products'), 'not_found');
    for (const role of ['operator', 'support'] as const) {
      const { token } = await newAdministrator(apps, role, [brandId]);
      assert.equal((await internal(token, brandId).get('/catalog/products')).status, 200);
      assertRefused(await internal(token, foreign.brandId).get('/catalog/products'), 'not_found');
      assertRefused(await internal(token, foreign.brandId).get('/analytics/metrics/daily'), 'not_found');
    }
  });

  it('change nothing, and have no status of a key', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      const { status } = await own.request(method, `/catalog/products/${product.tu_id}`);
      assert.equal(status, 405, method);
    }
    for (const domain of ['catalog', 'analytics'])
      assertRefused(await own.get(`/${domain}/status`), 'not_found');
  });
});
