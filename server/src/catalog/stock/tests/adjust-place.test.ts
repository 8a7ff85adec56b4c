import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import {
  adjust,
  adjusted,
  assertStockTrue,
  newLocation,
  newSimple,
  newStockedParent,
  stockOf,
} from './stock.ts';

const apps = await createTestApps();

describe('the location of an adjustment', () => {
  // [catalog-89]
  it('is __default__ if absent or null, which is created on demand and may be named once it exists', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    assertRefused(
      await adjust(client, tu_id, { location: '__default__', quantity: 1 }),
      'validation_failed',
      ['location'],
    );
    assert.equal((await adjusted(client, tu_id, { quantity: 1 })).level.location, '__default__');
    assert.equal(
      (await adjusted(client, tu_id, { location: null, quantity: 2 })).movement.quantity_before,
      1,
    );
    const named = await adjusted(client, tu_id, { location: '__default__', quantity: 3 });
    assert.equal(named.movement.quantity_before, 2);
    const list = await ok(client.get('/catalog/stock/locations'));
    assert.deepEqual(
      list.data.map((row: Record<string, unknown>) => [row['external_code'], row['name'], row['is_active']]),
      [['__default__', 'Default', true]],
    );
  });

  it('is not created as __default__ by an adjustment that is refused', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    assert.equal((await adjust(client, tu_id, { quantity: 1, expected_quantity: 2 })).status, 409);
    assert.equal((await ok(client.get('/catalog/stock/locations'))).meta.total, 0);
  });

  // [catalog-90]
  it('must exist in the brand if it is given', async () => {
    const { client } = await apps.newBrand();
    const other = await apps.newBrand();
    await newLocation(other.client, 'THEIRS');
    const { tu_id } = await newSimple(client);
    for (const location of ['NONE', 'THEIRS', '', ' ', '💥', 'x'.repeat(500)])
      assertRefused(await adjust(client, tu_id, { location, quantity: 1 }), 'validation_failed', [
        'location',
      ]);
    assert.equal((await ok(client.get('/catalog/stock/levels'))).meta.total, 0);
  });
});

// [catalog-88]
describe('the variant of an adjustment', () => {
  it('is required for a variant parent', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'PARENT', 2);
    assertRefused(await adjust(client, product.tu_id, { quantity: 1 }), 'validation_failed', ['variant']);
    const variant = variants[1].tu_id;
    const { level, movement } = await adjusted(client, product.tu_id, { variant, quantity: 4 });
    assert.deepEqual(
      [level.sku, level.product_tu_id, level.variant_tu_id, movement.variant_tu_id, movement.sku],
      ['PARENT-2', product.tu_id, variant, variant, 'PARENT-2'],
    );
    await assertStockTrue(apps);
  });

  it('is forbidden for a simple product, for any value', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const { variants } = await newStockedParent(client, 'OTHER', 1);
    for (const variant of [variants[0].tu_id, 'nothing', ''])
      assertRefused(await adjust(client, tu_id, { variant, quantity: 1 }), 'validation_failed', ['variant']);
  });

  it('must be a live variant of this very product: unknown, deleted, foreign and another product’s are 422', async () => {
    const { client } = await apps.newBrand();
    const theirs = await newStockedParent((await apps.newBrand()).client, 'PARENT', 1);
    const sibling = await newStockedParent(client, 'SIBLING', 1);
    const { product, variants } = await newStockedParent(client, 'PARENT', 2);
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    const wrong = [
      variants[0].tu_id,
      theirs.variants[0].tu_id,
      sibling.variants[0].tu_id,
      product.tu_id,
      'x',
      '',
    ];
    for (const variant of wrong)
      assertRefused(await adjust(client, product.tu_id, { variant, quantity: 1 }), 'validation_failed', [
        'variant',
      ]);
    assert.equal((await ok(client.get('/catalog/stock/levels'))).meta.total, 0);
  });

  it('is reported together with a wrong location', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    assertRefused(
      await adjust(client, tu_id, { variant: 'x', location: 'NONE', quantity: 1 }),
      'validation_failed',
      ['location', 'variant'],
    );
  });

  it('is forbidden again once the last variant is deleted; the product’s own stock counts then', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'LAST', 1);
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 8 });
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    assertRefused(
      await adjust(client, product.tu_id, { variant: variants[0].tu_id, quantity: 1 }),
      'validation_failed',
      ['variant'],
    );
    await adjusted(client, product.tu_id, { quantity: 2 });
    assert.deepEqual((await stockOf(client, product.tu_id)).availability, {
      status: 'low_stock',
      quantity: 2,
    });
    await assertStockTrue(apps);
  });
});
