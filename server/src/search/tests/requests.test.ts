import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { newStockedBrand } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();

describe('looking up a request', () => {
  const entriesOf = async (id: string) => (await ok(apps.admin.get(`/requests/${id}`))).entries;

  // [internal-73]
  it('finds the movement and the recorded response of an adjustment', async () => {
    const { client, brandId, keyId, sku, tu_id } = await newStockedBrand(apps);
    const path = `/catalog/products/${tu_id}/stock/adjust`;
    const headers = { 'x-request-id': 'adjust-1', 'idempotency-key': 'k-1' };
    const { movement } = await ok(client.post(path, { location: 'WH', quantity: 5 }, headers));
    const entries = await entriesOf('adjust-1');
    const shown = entries.map(({ at: _, ...rest }: { at: string }) => rest);
    assert.equal(shown.length, 2);
    assert.deepEqual(
      shown.find(({ kind }: { kind: string }) => kind === 'stock_movement'),
      {
        kind: 'stock_movement',
        brand_id: brandId,
        id: movement.id,
        product_tu_id: tu_id,
        sku,
        location: 'WH',
        quantity_before: 0,
        quantity_after: 5,
        key_id: keyId,
      },
    );
    assert.deepEqual(
      shown.find(({ kind }: { kind: string }) => kind === 'idempotency_key'),
      {
        kind: 'idempotency_key',
        brand_id: brandId,
        key: 'k-1',
        method: 'POST',
        path: `/v1/client${path}`,
        status: 200,
        key_id: keyId,
      },
    );
  });

  // [internal-73]
  it('finds a feed, and an administrator’s change', async () => {
    const { client, brandId, sku } = await newStockedBrand(apps);
    const feed = { source: 'erp', mode: 'snapshot', lines: [{ sku, location_code: 'WH', quantity: 1 }] };
    const headers = { 'idempotency-key': 'batch-1', 'x-request-id': 'feed-1' };
    const { feed_id } = await ok(client.post('/catalog/stock/feeds', feed, headers), 202);
    const [found] = await entriesOf('feed-1');
    assert.equal(found.kind, 'stock_feed');
    assert.equal(found.feed_id, feed_id);
    assert.equal(found.source_batch_id, 'batch-1');
    await ok(apps.admin.patch(`/brands/${brandId}`, { name: 'Renamed' }, { 'x-request-id': 'rename-1' }));
    const [change] = await entriesOf('rename-1');
    const { kind, brand_id, action, actor } = change;
    assert.deepEqual(
      { kind, brand_id, action, actor },
      { kind: 'audit_entry', brand_id: brandId, action: 'brand.update', actor: 'admin-token' },
    );
  });

  it('finds the rows of the caller’s brands behind hundreds of others', async () => {
    const [many, few] = [await apps.newBrand(), await apps.newBrand()];
    await apps.sql(
      `insert into audit_entries (at, brand_id, action, resource_type, resource_id, request_id)
       select now() - interval '1 hour', $1::integer, 'brand.update', 'brand', n::text, 'shared' from generate_series(1, 205) n
       union all select now(), $2::integer, 'brand.update', 'brand', 'own', 'shared'`,
      [many.brandId, few.brandId],
    );
    const { client } = await newAdministrator(apps, 'operator', [few.brandId]);
    const { entries } = await ok(client.get('/requests/shared'));
    assert.deepEqual(
      entries.map(({ brand_id: brandId }: { brand_id: number }) => brandId),
      [few.brandId],
    );
    const path = `/brands/${few.brandId}/keys`;
    const key = { name: 'k', scopes: ['catalog.stock:read'] };
    const headers = { 'x-request-id': 'of-the-operator', 'idempotency-key': 'of-the-operator' };
    await ok(apps.admin.post(path, key, headers), 201);
    const { data } = await ok(apps.admin.get('/search?q=of-the-operator'));
    assert.ok(data.length > 0 && data.every(({ brand_id: brandId }: { brand_id: number }) => brandId !== 0));
  });

  it('that wrote nothing is 404', async () => {
    const { client } = await apps.newBrand();
    await ok(client.get('/catalog/products', { 'x-request-id': 'read-1' }));
    for (const id of ['read-1', 'never', 'a%00b', 'x'.repeat(129)])
      assertRefused(await apps.admin.get(`/requests/${id}`), 'not_found');
  });
});
