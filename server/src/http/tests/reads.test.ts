import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createApiClient } from '../../../test/support/api-client.ts';
import { digestStoredRows } from '../../../test/support/stored-rows.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { clientDomains, internalOperations } from '../operations.ts';

const apps = await createTestApps();
const { client, brandId, apiKey, keyId } = await apps.newBrand();
const day = '2026-01-10';
/** Values of path parameters. */
const named: Record<string, string> = { id: String(brandId), key_id: keyId, tu_id: 'ann' };

/** Every operation that reads, from the lists that the routes are made from. */
const reads = [
  ...clientDomains.map((domain) => ({ ...domain, app: apps.clientApp, token: apiKey })),
  {
    prefix: '/internal/v1',
    operations: internalOperations,
    head: true,
    app: apps.internalApp,
    token: testAdminToken,
  },
].flatMap(({ operations, prefix, head, app, token }) =>
  operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => ({
      id: operation.id,
      path: prefix + operation.path,
      head,
      client: createApiClient(app, { prefix: '', token }),
    })),
);

/** The queries of paths that require one. */
const queries: Readonly<Record<string, string>> = {
  '/internal/v1/brands/:id/stock/explain': '?sku=SIMPLE&location=WH',
  '/internal/v1/search': '?q=READ',
};

const urlOf = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_match, name: string) => named[name] ?? 'none') + (queries[path] ?? '');

before(async () => {
  const { json: product } = await client.create('/catalog/products', { sku: 'READ' });
  await client.post('/catalog/axes', { code: 'size', values: [{ value: 'S' }, { value: 'M' }] });
  const selection = { axes: [{ code: 'size', values: ['S', 'M'] }] };
  await client.put(`/catalog/products/${product.tu_id}/axes`, selection);
  const { json: simple } = await client.create('/catalog/products', { sku: 'SIMPLE' });
  await client.post('/catalog/stock/locations', { external_code: 'WH' });
  await client.create(`/catalog/products/${simple.tu_id}/stock/adjust`, { quantity: 3, location: 'WH' });
  await client.create(`/catalog/products/${product.tu_id}/variants/generate`, {});
  await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'ann' }] });
  const event = { event_id: 'e', occurred_at: `${day}T10:00:00Z`, kind: 'view', user: 'ann' };
  const items = [{ ...event, content: { type: 'episode', tu_id: 'c' } }];
  assert.equal((await apps.admin.post(`/brands/${brandId}/events`, { items })).json.accepted, 1);
  await apps.admin.post(`/brands/${brandId}/aggregations`, { from: day, to: day });
  Object.assign(named, { tuId: product.tu_id, dataset: 'daily', day });
  const feed = {
    source: 'test',
    mode: 'snapshot',
    lines: [{ sku: 'NONE', location_code: 'WH', quantity: 1 }],
  };
  named['feed_id'] = (await client.create('/catalog/stock/feeds', feed)).json.feed_id;
});

describe('a read', () => {
  // [platform-78]
  it('creates and changes nothing, whether what it names exists or not', async () => {
    assert.ok(reads.length > 20, `only ${reads.length} operations were found`);
    const stored = await digestStoredRows(apps);
    const notFound: string[] = [];
    for (const { id, path, client: reader } of reads) {
      const { status, text } = await reader.get(urlOf(path));
      assert.ok(status === 200 || status === 404, `${path}: ${status} ${text}`);
      if (status === 404) notFound.push(id);
      assert.ok([200, 404, 422].includes((await reader.get(path.replaceAll(/:\w+/g, 'none'))).status), path);
    }
    // Nothing here is queued or running, and a worker would write during the reads.
    assert.deepEqual(notFound, ['getStockFeedReport', 'getJob', 'getRequest']);
    assert.deepEqual(await digestStoredRows(apps), stored);
  });

  // [platform-14]
  it('answers HEAD like GET without the body', async () => {
    for (const { path, client: reader } of reads.filter(({ head }) => head)) {
      const ask = async () => [await reader.get(urlOf(path)), await reader.head(urlOf(path))] as const;
      let [get, head] = await ask();
      // The overview changes with time.
      while ((await reader.get(urlOf(path))).text !== get.text) [get, head] = await ask();
      assert.deepEqual([head.status, head.text], [get.status, ''], path);
      for (const name of ['content-type', 'content-length', 'etag'])
        assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
    }
  });
});
