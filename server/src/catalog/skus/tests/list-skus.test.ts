import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { adjusted, newStockedParent } from '../../stock/tests/stock.ts';
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
    const same = { product_tu_id, title, is_deleted: false, has_variants: true };
    const kept = [
      { sku: 'TEE', kind: 'product', tu_id: product_tu_id, ...same },
      { sku: 'TEE-1', kind: 'variant', tu_id: variants[0].tu_id, ...same },
    ];
    assert.deepEqual(
      data
        .slice(0, 2)
        .map(({ is_active: _, price: __, quantity: ___, ...row }: Record<string, unknown>) => row),
      kept,
    );
    for (const { sku, is_deleted } of data.slice(2))
      assert.deepEqual({ sku, is_deleted }, { sku: 'TEE-2', is_deleted: true });
  });

  it('have state, price and quantity: of a variant its own, or the price of its product', async () => {
    const { client, brandId } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'CUP', 2);
    await ok(
      client.patch(`/catalog/products/${product.tu_id}`, { price_value: 20.5, price_currency: 'CHF' }),
    );
    await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { price: { value: 12 } }));
    await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
    for (const [variant, quantity] of [
      [variants[0].tu_id, 4],
      [variants[1].tu_id, 3],
    ])
      await adjusted(client, product.tu_id, { location: 'L', variant, quantity });
    const { data: levels } = await ok(client.get('/catalog/stock/levels?per_page=200'));
    const sumOf = (sku: string) =>
      levels
        .filter((level: { sku: string }) => level.sku.startsWith(sku))
        .reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0);
    for (const query of ['prefix=CUP', `title=${encodeURIComponent(product.title)}`]) {
      const { data } = await ok(apps.admin.get(`/brands/${brandId}/skus?${query}`));
      const of = (sku: string) => data.find((row: { sku: string }) => row.sku === sku);
      const { json: read } = await client.get(`/catalog/products/${product.tu_id}`);
      assert.deepEqual(
        [of('CUP').price, of('CUP').quantity, of('CUP').is_active],
        [{ value: 20.5, currency: 'CHF' }, sumOf('CUP'), read.is_active],
      );
      if (query.startsWith('title')) continue;
      assert.deepEqual(of('CUP-1').price, { value: 12, currency: 'CHF' });
      assert.deepEqual(of('CUP-2').price, { value: 20.5, currency: 'CHF' });
      assert.equal(of('CUP-1').quantity, sumOf('CUP-1'));
      assert.deepEqual([sumOf('CUP-1'), sumOf('CUP')], [4, 7]);
    }
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
