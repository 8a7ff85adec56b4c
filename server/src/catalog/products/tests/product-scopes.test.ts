import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../../api/scopes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'SCOPED' });
const path = `/catalog/products/${product.tu_id}`;
const keyWith = async (...held: Scope[]) => (await apps.newKey(brandId, held)).client;
const allBut = async (scope: Scope) => keyWith(...scopes.filter((other) => other !== scope));

describe('the stock fields of a product', () => {
  // [catalog-8]
  it('appear only for a key that may read stock, in lists, details and responses to writes', async () => {
    const blind = await keyWith('catalog.products:read', 'catalog.products:write', 'catalog.stock:write');
    const { stock_summary, ...withoutStock } = product;
    assert.deepEqual(stock_summary, { total_quantity: 0, total_reserved: 0 });
    const { axes: _axes, variants: _variants, ...listItem } = withoutStock;
    assert.deepEqual((await blind.get(path)).json, withoutStock);
    assert.deepEqual((await blind.patch(path, {})).json, withoutStock);
    assert.deepEqual((await blind.get('/catalog/products')).json.data, [listItem]);
    const created = await blind.create('/catalog/products', { sku: 'BLIND' });
    assert.ok(!('stock_summary' in created.json));
    assert.deepEqual(created.json.availability, { status: null });
  });

  it('appear for a key that may read stock, regardless of its other scopes', async () => {
    const reader = await keyWith('catalog.products:read', 'catalog.stock:read');
    assert.deepEqual((await reader.get(path)).json, product);
  });
});

describe('a key without the scope of an endpoint', () => {
  const calls = {
    'catalog.products:read': [
      ['GET', '/catalog/products'],
      ['HEAD', '/catalog/products'],
      ['GET', path],
      ['HEAD', path],
      ['GET', '/catalog/products/aaaaaaaaaaaaaaaaaaaaa'],
    ],
    'catalog.products:write': [
      ['POST', '/catalog/products'],
      ['PATCH', path],
      ['PATCH', '/catalog/products/aaaaaaaaaaaaaaaaaaaaa'],
    ],
  } as const;

  for (const [scope, requests] of Object.entries(calls))
    it(`is refused even if it has all others, and the answer names ${scope}`, async () => {
      const lacking = await allBut(scope as Scope);
      const before = await writtenSoFar(apps);
      for (const [method, url] of requests) {
        const body = method === 'POST' || method === 'PATCH' ? { sku: 'FORBIDDEN', title: 'x' } : undefined;
        const headers = { 'idempotency-key': 'forbidden' };
        const answer = await lacking.request(method, url, { headers, ...(body && { body }) });
        if (method === 'HEAD') {
          assert.deepEqual([answer.status, answer.text], [403, '']);
          continue;
        }
        assertRefused(answer, 'insufficient_scope');
        assert.ok(answer.json.message.includes(scope));
      }
      assert.deepEqual(await writtenSoFar(apps), before);
    });

  // [platform-7]
  it('can use everything that its one scope allows, and nothing else', async () => {
    const reader = await keyWith('catalog.products:read');
    assert.equal((await reader.get('/catalog/products')).status, 200);
    assertRefused(await reader.patch(path, { title: 'x' }), 'insufficient_scope');
    const writer = await keyWith('catalog.products:write');
    assert.equal((await writer.patch(path, { title: 'By a writer' })).status, 200);
    assertRefused(await writer.get(path), 'insufficient_scope');
  });
});

describe('the status of a key', () => {
  // [catalog-1]
  it('needs no scope at all, and echoes the key', async () => {
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const key = await apps.newKey(brandId, ['analytics.users:read', 'catalog.axes:write'], {
      name: 'Ключ 🔑',
      expires_at: expires,
    });
    const answer = await key.client.get('/catalog/status');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, {
      brand_id: brandId,
      key_id: key.keyId,
      name: 'Ключ 🔑',
      scopes: ['catalog.axes:write', 'analytics.users:read'],
      expires_at: expires,
    });
    assert.ok(!answer.text.includes(key.apiKey.split('.')[1] as string));
  });

  it('reports null for a key that does not expire, and ignores query and body', async () => {
    const { json, status } = await client.get('/catalog/status?page=0&sku=%00');
    assert.equal(status, 200);
    assert.equal(json.expires_at, null);
    assert.deepEqual(json.scopes, [...scopes]);
  });
});
