import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newLocation, newSimple, newStockedParent } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyFeed, assertFeedsTrue, levelsOf } from './feeds.ts';
import { at, levelAt, lineWith, newStockedBrand } from './stocked-brand.ts';

const apps = await createTestApps({ runsJobs: true });

describe('a line that names no valid place for stock', () => {
  // [catalog-103] [catalog-108]
  it('is unknown_sku, unknown_location or not_stockable', async () => {
    const { client } = await newStockedBrand(apps);
    await newStockedParent(client, 'P', 1);
    const lines = [
      lineWith(1, { sku: 'NOWHERE' }),
      lineWith(1, { sku: 'a' }),
      lineWith(1, { location_code: 'l' }),
      lineWith(1, { location_code: 'no such place' }),
      lineWith(1, { sku: 'P' }),
      lineWith(1),
    ];
    assert.deepEqual(await applyFeed(client, lines), [
      'unknown_sku',
      'unknown_sku',
      'unknown_location',
      'unknown_location',
      'not_stockable',
      'applied',
    ]);
  });

  // [catalog-104]
  it('is checked for superseded before unknown_sku before not_stockable before unknown_location before stale', async () => {
    const { client } = await newStockedBrand(apps);
    await newStockedParent(client, 'P', 1);
    await applyFeed(client, [lineWith(1)]);
    const old = { updated_at: at(1) };
    const lines = [
      lineWith(1, { sku: 'NOWHERE', location_code: 'X', ...old }),
      lineWith(1, { sku: 'NOWHERE', location_code: 'X', updated_at: at(2) }),
      lineWith(1, { sku: 'P', location_code: 'X', ...old }),
      lineWith(1, { location_code: 'X', ...old }),
      lineWith(1, old),
      lineWith(1, { updated_at: at(2) }),
    ];
    assert.deepEqual(await applyFeed(client, lines), [
      'superseded',
      'unknown_sku',
      'not_stockable',
      'unknown_location',
      'superseded',
      'stale',
    ]);
  });

  // [catalog-108]
  it('is unknown_sku for a deleted variant, whose level stays as it was', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'L');
    const { variants } = await newStockedParent(client, 'P', 2);
    const line = { sku: 'P-1', location_code: 'L', quantity: 4 };
    await applyFeed(client, [line]);
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    assert.deepEqual(await applyFeed(client, [{ ...line, quantity: 9 }]), ['unknown_sku']);
    assert.equal((await levelAt(apps, brandId, 'P-1@L')).quantity, 4);
    await assertFeedsTrue(apps);
  });

  it('is known again once the last variant of its product is deleted', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'L');
    const { variants } = await newStockedParent(client, 'P', 1);
    const line = { sku: 'P', location_code: 'L', quantity: 4 };
    assert.deepEqual(await applyFeed(client, [line]), ['not_stockable']);
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    assert.deepEqual(await applyFeed(client, [line]), ['applied']);
    assert.equal((await levelAt(apps, brandId, 'P@L')).quantity, 4);
  });

  it('follows a SKU that was given to another product', async () => {
    const { client, brandId, product } = await newStockedBrand(apps);
    await applyFeed(client, [lineWith(1)]);
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { sku: 'B' }));
    assert.deepEqual(await applyFeed(client, [lineWith(2)]), ['unknown_sku']);
    await newSimple(client, 'A');
    assert.deepEqual(await applyFeed(client, [lineWith(3), lineWith(4, { sku: 'B' })]), [
      'applied',
      'applied',
    ]);
    const levels = await levelsOf(apps, brandId);
    assert.deepEqual([levels.get('A@L')?.quantity, levels.get('B@L')?.quantity], [3, 4]);
    await assertFeedsTrue(apps);
  });

  it('is never confused with a place of another brand with the same names', async () => {
    const mine = await newStockedBrand(apps);
    const other = await apps.newBrand();
    assert.deepEqual(await applyFeed(other.client, [lineWith(1)]), ['unknown_sku']);
    await newSimple(other.client, 'A');
    assert.deepEqual(await applyFeed(other.client, [lineWith(1)]), ['unknown_location']);
    assert.equal((await levelsOf(apps, mine.brandId)).size, 0);
  });
});
