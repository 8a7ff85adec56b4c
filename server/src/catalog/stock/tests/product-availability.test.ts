import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import {
  adjusted,
  assertStockTrue,
  newLocation,
  newSimple,
  newStockedBrand,
  newStockedParent,
  setAsFeed,
  stockOf,
} from './stock.ts';

const apps = await createTestApps();
const hourMs = 3_600_000;

/** Returns the status, which detail, list and stock view must agree on, with the available quantity. */
async function availability(
  client: ApiClient,
  tuId: string,
): Promise<[status: string | null, quantity: number]> {
  const detail = await ok(client.get(`/catalog/products/${tuId}`));
  const list = await ok(client.get(`/catalog/products?sku=${encodeURIComponent(detail.sku)}`));
  const { axes: _axes, variants: _variants, ...shared } = detail;
  assert.deepEqual(list.data, [shared]);
  const stock = await stockOf(client, tuId);
  assert.equal(stock.availability.status, detail.availability.status);
  for (const [index, variant] of stock.variants.entries())
    assert.deepEqual(detail.variants[index].availability, variant.availability);
  return [stock.availability.status, stock.availability.quantity];
}

async function summary(client: ApiClient, tuId: string): Promise<[quantity: number, reserved: number]> {
  const { stock_summary } = await ok(client.get(`/catalog/products/${tuId}`));
  return [stock_summary.total_quantity, stock_summary.total_reserved];
}

const hoursAgo = (hours: number, moreMs = 0) =>
  new Date(apps.clock.now() - hours * hourMs - moreMs).toISOString();

/** Advances the clock until the test ends; the database, which dates the writes, has its own clock. */
function later(t: TestContext, ms: number): void {
  apps.clock.advance(ms);
  t.after(() => apps.clock.advance(-ms));
}

describe('the availability of a product', () => {
  // [catalog-74]
  it('is null without a level, out_of_stock at 0, low_stock up to the threshold, else in_stock', async () => {
    const { client } = await apps.newBrand({ settings: { low_stock_threshold: 5 } });
    const { tu_id } = await newSimple(client);
    assert.deepEqual(await availability(client, tu_id), [null, 0]);
    for (const [quantity, status] of [
      [0, 'out_of_stock'],
      [1, 'low_stock'],
      [5, 'low_stock'],
      [6, 'in_stock'],
      [0, 'out_of_stock'],
    ] as const) {
      await adjusted(client, tu_id, { quantity });
      assert.deepEqual(await availability(client, tu_id), [status, quantity]);
    }
  });

  it('is never low_stock if the threshold is 0', async () => {
    const { client } = await apps.newBrand({ settings: { low_stock_threshold: 0 } });
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 1 });
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 1]);
  });

  // [catalog-73]
  it('adds up the available quantities level by level: an over-reserved one takes nothing from the others', async () => {
    const { client, brandId } = await apps.newBrand();
    for (const code of ['A', 'B']) await newLocation(client, code);
    const { tu_id, sku } = await newSimple(client);
    await setAsFeed(apps, brandId, { sku, location: 'A', quantity: 2, reserved: 9 });
    await setAsFeed(apps, brandId, { sku, location: 'B', quantity: 10, reserved: 3 });
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 7]);
    assert.deepEqual(await summary(client, tu_id), [12, 12]);
    await setAsFeed(apps, brandId, { sku, location: 'B', quantity: 3, reserved: 3 });
    assert.deepEqual(await availability(client, tu_id), ['out_of_stock', 0]);
  });

  // [catalog-73] [catalog-77]
  it('counts active locations only; with levels only at inactive ones it is out_of_stock', async () => {
    const { client } = await apps.newBrand();
    for (const code of ['A', 'B']) await newLocation(client, code);
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { location: 'A', quantity: 10 });
    await adjusted(client, tu_id, { location: 'B', quantity: 2 });
    const switchTo = (code: string, is_active: boolean) =>
      ok(client.patch(`/catalog/stock/locations/${code}`, { is_active }));
    await switchTo('A', false);
    assert.deepEqual(await availability(client, tu_id), ['low_stock', 2]);
    await switchTo('B', false);
    assert.deepEqual(await availability(client, tu_id), ['out_of_stock', 0]);
    assert.deepEqual(await summary(client, tu_id), [12, 0]);
    await switchTo('A', true);
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 10]);
    await assertStockTrue(apps);
  });

  it('follows changes of the brand’s settings immediately', async (t) => {
    const { client, brandId, tu_id, sku } = await newStockedBrand(apps);
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 8, updatedAt: hoursAgo(10) });
    const set = (settings: object) => apps.admin.patch(`/brands/${brandId}`, { settings });
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 8]);
    await set({ low_stock_threshold: 8 });
    assert.deepEqual(await availability(client, tu_id), ['low_stock', 8]);
    await set({ stale_after_hours: 9 });
    assert.deepEqual(await availability(client, tu_id), ['stale', 8]);
    await set({ stale_after_hours: 11, low_stock_threshold: 7 });
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 8]);
    await set({ stale_after_hours: null });
    later(t, 1000 * hourMs);
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 8]);
  });
});

// [catalog-75]
describe('stale stock', () => {
  it('is stock that no feed has refreshed for longer than stale_after_hours, before all other statuses', async (t) => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 2 } });
    await newLocation(client, 'WH');
    const { tu_id, sku } = await newSimple(client);
    for (const quantity of [100, 1, 0]) {
      await setAsFeed(apps, brandId, { sku, location: 'WH', quantity, updatedAt: hoursAgo(0) });
      const [fresh] = await availability(client, tu_id);
      assert.ok(fresh === 'in_stock' || fresh === 'low_stock' || fresh === 'out_of_stock');
      later(t, 2 * hourMs - 60_000);
      assert.equal((await availability(client, tu_id))[0], fresh);
      later(t, 61_000);
      assert.deepEqual(await availability(client, tu_id), ['stale', quantity]);
    }
  });

  it('needs every level at an active location to be old: one fresh level prevents it', async () => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 2 } });
    for (const code of ['A', 'B']) await newLocation(client, code);
    const { tu_id, sku } = await newSimple(client);
    await setAsFeed(apps, brandId, { sku, location: 'A', quantity: 1, updatedAt: hoursAgo(3) });
    await setAsFeed(apps, brandId, { sku, location: 'B', quantity: 9, updatedAt: hoursAgo(1) });
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 10]);
    await ok(client.patch('/catalog/stock/locations/B', { is_active: false }));
    assert.deepEqual(await availability(client, tu_id), ['stale', 1]);
    await ok(client.patch('/catalog/stock/locations/A', { is_active: false }));
    assert.deepEqual(await availability(client, tu_id), ['out_of_stock', 0]);
    await ok(client.patch('/catalog/stock/locations/B', { is_active: true }));
    assert.deepEqual(await availability(client, tu_id), ['in_stock', 9]);
  });

  it('never includes a level that an adjustment wrote, until a feed writes it again', async (t) => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 2 } });
    await newLocation(client, 'WH');
    const { tu_id, sku } = await newSimple(client);
    await adjusted(client, tu_id, { location: 'WH', quantity: 3 });
    later(t, 100 * hourMs);
    assert.deepEqual(await availability(client, tu_id), ['low_stock', 3]);
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 3, updatedAt: hoursAgo(50) });
    assert.deepEqual(await availability(client, tu_id), ['stale', 3]);
    await assertStockTrue(apps);
  });
});

describe('the availability of a variant parent', () => {
  // [catalog-76]
  it('is that of its active live variants together, regardless of its own levels', async () => {
    const { client } = await apps.newBrand();
    await newAxes(client, { n: ['1', '2'] });
    const product = await newParent(client, { n: ['1', '2'] });
    await adjusted(client, product.tu_id, { quantity: 500 });
    const one = await newVariant(client, product.tu_id, {
      sku: 'N1',
      axis_values: { n: '1' },
      is_active: true,
    });
    assert.deepEqual(await availability(client, product.tu_id), [null, 0]);
    await adjusted(client, product.tu_id, { variant: one.tu_id, quantity: 4 });
    assert.deepEqual(await availability(client, product.tu_id), ['low_stock', 4]);
    const two = await newVariant(client, product.tu_id, { sku: 'N2', axis_values: { n: '2' } });
    await adjusted(client, product.tu_id, { variant: two.tu_id, quantity: 6 });
    assert.deepEqual(await availability(client, product.tu_id), ['low_stock', 4]);
    await ok(client.patch(`/catalog/variants/${two.tu_id}`, { is_active: true }));
    assert.deepEqual(await availability(client, product.tu_id), ['in_stock', 10]);
    assert.deepEqual(await summary(client, product.tu_id), [510, 0]);
    await ok(client.patch(`/catalog/variants/${one.tu_id}`, { is_active: false }));
    assert.deepEqual(await availability(client, product.tu_id), ['in_stock', 6]);
    assert.deepEqual(await summary(client, product.tu_id), [510, 0]);
    await ok(client.delete(`/catalog/variants/${two.tu_id}`), 204);
    assert.deepEqual(await availability(client, product.tu_id), [null, 0]);
    assert.deepEqual(await summary(client, product.tu_id), [504, 0]);
    await ok(client.delete(`/catalog/variants/${one.tu_id}`), 204);
    assert.deepEqual(await availability(client, product.tu_id), ['in_stock', 500]);
    await assertStockTrue(apps);
  });

  it('is stale if every level of its active variants is, and so is each of the variants', async () => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 2 } });
    await newLocation(client, 'WH');
    const { product, variants } = await newStockedParent(client, 'P', 3);
    for (const [sku, hours] of [
      ['P-1', 5],
      ['P-2', 5],
      ['P-3', 1],
    ] as const)
      await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt: hoursAgo(hours) });
    assert.deepEqual(await availability(client, product.tu_id), ['in_stock', 27]);
    const statuses = async () =>
      (await stockOf(client, product.tu_id)).variants.map(
        (variant: { availability: { status: string } }) => variant.availability.status,
      );
    assert.deepEqual(await statuses(), ['stale', 'stale', 'in_stock']);
    await ok(client.patch(`/catalog/variants/${variants[2].tu_id}`, { is_active: false }));
    assert.deepEqual(await availability(client, product.tu_id), ['stale', 18]);
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, location: 'WH', quantity: 9 });
    assert.deepEqual(await availability(client, product.tu_id), ['in_stock', 18]);
    assert.deepEqual(await statuses(), ['in_stock', 'stale', 'in_stock']);
  });

  it('counts variants at active locations only', async () => {
    const { client } = await apps.newBrand();
    await newLocation(client, 'WH');
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, location: 'WH', quantity: 3 });
    await ok(client.patch('/catalog/stock/locations/WH', { is_active: false }));
    assert.deepEqual(await availability(client, product.tu_id), ['out_of_stock', 0]);
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 1 });
    assert.deepEqual(await availability(client, product.tu_id), ['low_stock', 1]);
    await assertStockTrue(apps);
  });
});

describe('a key without catalog.stock:read', () => {
  it('reads the status of products and variants, but neither stock_summary nor a quantity', async () => {
    const { client, brandId } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'P', 1);
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 3 });
    const reader = (await apps.newKey(brandId, ['catalog.products:read'])).client;
    const detail = await ok(reader.get(`/catalog/products/${product.tu_id}`));
    assert.ok(!('stock_summary' in detail));
    assert.deepEqual(detail.availability, { status: 'low_stock' });
    assert.deepEqual(detail.variants[0].availability, { status: 'low_stock' });
    const list = await ok(reader.get('/catalog/products'));
    assert.ok(!('stock_summary' in list.data[0]));
    assert.deepEqual(list.data[0].availability, { status: 'low_stock' });
    const shown = await ok(reader.get(`/catalog/products/${product.tu_id}/variants`));
    assert.deepEqual(shown.data[0].availability, { status: 'low_stock' });
  });
});
