import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newStockedParent } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();

describe('finding SKUs by prefix', () => {
  const skusOf = async (brandId: number, query: string): Promise<string[]> => {
    const { data } = await ok(apps.admin.get(`/brands/${brandId}/skus${query}`));
    return data.map(({ sku }: { sku: string }) => sku);
  };

  // [internal-71]
  it('lists products and variants in order, deleted variants marked, of this brand only', async () => {
    const { client, brandId } = await apps.newBrand();
    const other = await apps.newBrand();
    await ok(other.client.create('/catalog/products', { sku: 'TEE-9' }), 201);
    const { product, variants } = await newStockedParent(client, 'TEE', 2);
    await ok(client.delete(`/catalog/variants/${variants[1].tu_id}`), 204);
    await ok(client.create('/catalog/products', { sku: 'tee' }), 201);
    const { data } = await ok(apps.admin.get(`/brands/${brandId}/skus?prefix=TEE`));
    const { tu_id: product_tu_id, title } = product;
    const kept = [
      { sku: 'TEE', kind: 'product', tu_id: product_tu_id, product_tu_id, title, is_deleted: false },
      { sku: 'TEE-1', kind: 'variant', tu_id: variants[0].tu_id, product_tu_id, title, is_deleted: false },
    ];
    assert.deepEqual(data.slice(0, 2), kept);
    for (const { sku, is_deleted } of data.slice(2))
      assert.deepEqual({ sku, is_deleted }, { sku: 'TEE-2', is_deleted: true });
  });

  it('compares code points, up to the last one, and limits the list', async () => {
    const { client, brandId } = await apps.newBrand();
    const last = String.fromCodePoint(0x10_ff_ff);
    for (const sku of ['é', `é${last}${last}`, 'É', 'e', 'f%', 'f_', 'f'])
      await ok(client.create('/catalog/products', { sku }), 201);
    assert.deepEqual(await skusOf(brandId, `?prefix=${encodeURIComponent('é')}`), ['é', `é${last}${last}`]);
    assert.deepEqual(await skusOf(brandId, '?prefix=f%25'), ['f%']);
    assert.deepEqual(await skusOf(brandId, '?limit=2'), ['e', 'f']);
    assert.deepEqual(await skusOf(brandId, '?prefix=nothing'), []);
    assertRefused(await apps.admin.get('/brands/999999/skus'), 'not_found');
  });

  it('finds products by a part of their title in any case, newest first, of this brand only', async () => {
    const { client, brandId } = await apps.newBrand();
    const other = await apps.newBrand();
    await ok(other.client.create('/catalog/products', { sku: 'O', title: 'Blue mug' }), 201);
    for (const [sku, title] of [
      ['A-1', 'Blue Mug'],
      ['B-1', 'ÉTÉ mug 100%'],
      ['B-2', 'Hat'],
    ])
      await ok(client.create('/catalog/products', { sku, title }), 201);
    const found = (text: string, more = '') => skusOf(brandId, `?title=${encodeURIComponent(text)}${more}`);
    assert.deepEqual(await found('mUG'), ['B-1', 'A-1']);
    assert.deepEqual(await found('été'), ['B-1']);
    assert.deepEqual(await found('%'), ['B-1']);
    assert.deepEqual(await found('mug', '&limit=1'), ['B-1']);
    assert.deepEqual(await found('mug', '&prefix=A'), ['A-1']);
    assert.deepEqual(await found('_'), []);
    assertRefused(await apps.admin.get(`/brands/${brandId}/skus?title=`), 'validation_failed', ['title']);
  });
});
