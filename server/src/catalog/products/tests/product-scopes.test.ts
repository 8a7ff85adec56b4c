import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../../api/access.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'SCOPED' });
const path = `/catalog/products/${product.tu_id}`;
const keyWith = async (...held: Scope[]) => (await apps.newKey(brandId, held)).client;

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
      rate_limits: { reads_per_minute: 0, writes_per_minute: 0, brand_per_minute: 0 },
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
