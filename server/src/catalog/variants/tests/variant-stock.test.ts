import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import { newLocation, putLevel } from './variant-stock.ts';

const apps = await createTestApps();
const hour = 3_600_000;
let client: ApiClient;
let brandId: number;
// biome-ignore lint/suspicious/noExplicitAny: resources as they are served.
let product: any, a: any, b: any;

beforeEach(async () => {
  ({ client, brandId } = await apps.newBrand({
    settings: { low_stock_threshold: 5, stale_after_hours: 24 },
  }));
  await newAxes(client, { v: ['a', 'b', 'c'] });
  product = await newParent(client, { v: ['a', 'b', 'c'] }, { sku: 'P' });
  a = await newVariant(client, product.tu_id, { sku: 'A', axis_values: { v: 'a' }, is_active: true });
  b = await newVariant(client, product.tu_id, { sku: 'B', axis_values: { v: 'b' }, is_active: true });
  await newLocation(apps, brandId, 'shop');
  await newLocation(apps, brandId, 'web');
  await newLocation(apps, brandId, 'closed', false);
});

const put = (
  sku: string,
  location: string,
  quantity: number,
  more: { reserved?: number; fedAt?: Date } = {},
) => putLevel(apps, brandId, { sku, location, quantity, ...more });
const variantsPath = () => `/catalog/products/${product.tu_id}/variants`;
const productNow = () => ok(client.get(`/catalog/products/${product.tu_id}`));
const patch = (variant: { tu_id: string }, body: object) =>
  ok(client.patch(`/catalog/variants/${variant.tu_id}`, body));

/** Returns the availabilities of the variants, from the list; the product's detail must show the same. */
async function availabilities(): Promise<object[]> {
  const of = (variants: { availability: object }[]) => variants.map(({ availability }) => availability);
  const listed = of((await ok(client.get(variantsPath()))).data);
  assert.deepEqual(of((await productNow()).variants), listed);
  return listed;
}

describe('the availability of a variant', () => {
  it('is null, with quantity 0, without a stock level', async () => {
    assert.deepEqual(await availabilities(), [
      { status: null, quantity: 0 },
      { status: null, quantity: 0 },
    ]);
  });

  it('sums the available quantities at active locations, each at 0 or more', async () => {
    await put('A', 'shop', 10, { reserved: 4 });
    await put('A', 'web', 3, { reserved: 9 });
    await put('A', 'closed', 100);
    await put('B', 'shop', 5);
    assert.deepEqual(await availabilities(), [
      { status: 'in_stock', quantity: 6 },
      { status: 'low_stock', quantity: 5 },
    ]);
  });

  // [catalog-77]
  it('is out_of_stock at 0, and if all levels are at inactive locations', async () => {
    await put('A', 'shop', 2, { reserved: 2 });
    await put('B', 'closed', 7);
    assert.deepEqual(await availabilities(), [
      { status: 'out_of_stock', quantity: 0 },
      { status: 'out_of_stock', quantity: 0 },
    ]);
  });

  it('is stale, and keeps its quantity, when a feed wrote every level too long ago', async () => {
    const old = new Date(Date.now() - 25 * hour);
    await put('A', 'shop', 10, { fedAt: old });
    await put('A', 'web', 1, { fedAt: old });
    await put('B', 'shop', 10, { fedAt: old });
    await put('B', 'web', 10);
    assert.deepEqual(await availabilities(), [
      { status: 'stale', quantity: 11 },
      { status: 'in_stock', quantity: 20 },
    ]);
  });

  it('becomes stale only through the passage of time', async () => {
    await put('A', 'shop', 10, { fedAt: new Date() });
    assert.equal((await ok(client.get(variantsPath()))).data[0].availability.status, 'in_stock');
    apps.clock.advance(25 * hour);
    try {
      assert.equal((await ok(client.get(variantsPath()))).data[0].availability.status, 'stale');
    } finally {
      apps.clock.advance(-25 * hour);
    }
  });

  it('is its own even while the variant is inactive', async () => {
    await put('A', 'shop', 9);
    assert.deepEqual((await patch(a, { is_active: false })).availability, {
      status: 'in_stock',
      quantity: 9,
    });
  });

  it('adds up beyond the maximum of one level', async () => {
    await put('A', 'shop', 2_147_483_647);
    await put('A', 'web', 2_147_483_647);
    assert.equal((await patch(a, { barcode: 'x' })).availability.quantity, 4_294_967_294);
  });

  it('is in the response to a change', async () => {
    await put('A', 'shop', 9);
    assert.deepEqual((await patch(a, { barcode: 'x' })).availability, { status: 'in_stock', quantity: 9 });
  });
});

describe('the availability of a variant parent', () => {
  beforeEach(async () => {
    await put('A', 'shop', 4);
    await put('B', 'shop', 3);
  });

  it('counts its active variants, as soon as one is switched', async () => {
    assert.equal((await productNow()).availability.status, 'in_stock');
    await patch(a, { is_active: false });
    const { availability, stock_summary } = await productNow();
    assert.deepEqual([availability.status, stock_summary.total_quantity], ['low_stock', 7]);
    await patch(b, { is_active: false });
    assert.equal((await productNow()).availability.status, null);
    await patch(a, { is_active: true });
    await patch(b, { is_active: true });
    assert.equal((await productNow()).availability.status, 'in_stock');
    await assertRollupsTrue(apps);
  });

  // [catalog-7]
  it('excludes the stock of a deleted variant, and so does stock_summary', async () => {
    assert.equal((await client.delete(`/catalog/variants/${a.tu_id}`)).status, 204);
    const { availability, stock_summary } = await productNow();
    assert.deepEqual([availability.status, stock_summary.total_quantity], ['low_stock', 3]);
    await assertRollupsTrue(apps);
  });

  it('is the product’s own again when its last variant is deleted', async () => {
    await put('P', 'shop', 0);
    assert.equal((await productNow()).availability.status, 'in_stock');
    for (const { tu_id } of [a, b])
      assert.equal((await client.delete(`/catalog/variants/${tu_id}`)).status, 204);
    const { availability, stock_summary, has_variants } = await productNow();
    assert.deepEqual(
      [availability.status, stock_summary.total_quantity, has_variants],
      ['out_of_stock', 0, false],
    );
    await newVariant(client, product.tu_id, { sku: 'C', axis_values: { v: 'c' } });
    assert.equal((await productNow()).availability.status, null);
    await assertRollupsTrue(apps);
  });
});

describe('the levels of a variant', () => {
  const levels = () =>
    apps.sql('select sku, is_hidden from stock_levels where brand_id = $1 order by id', [brandId]);

  it('follow a rename; those of other variants and of the product do not', async () => {
    await put('A', 'shop', 1);
    await put('B', 'shop', 1);
    await put('P', 'shop', 1);
    await patch(a, { sku: 'A2' });
    assert.deepEqual(
      (await levels()).map(({ sku }) => sku),
      ['A2', 'B', 'P'],
    );
    await assertRollupsTrue(apps);
  });

  it('are hidden when it is deleted; those of others are not', async () => {
    await put('A', 'shop', 1);
    await put('A', 'closed', 1);
    await put('B', 'shop', 1);
    assert.equal((await client.delete(`/catalog/variants/${a.tu_id}`)).status, 204);
    assert.deepEqual(
      (await levels()).map(({ is_hidden }) => is_hidden),
      [true, true, false],
    );
  });
});
