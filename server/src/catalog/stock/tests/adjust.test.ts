import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import {
  adjust,
  adjusted,
  assertStockTrue,
  ledgerOf,
  newLocation,
  newSimple,
  newStockedBrand,
  newStockedParent,
  setAsFeed,
  stockOf,
} from './stock.ts';

const apps = await createTestApps();
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const maxQuantity = 2_147_483_647;

describe('adjusting stock', () => {
  // [catalog-85] [catalog-87]
  it('sets an absolute quantity and writes the movement, with the key as its note and no actor', async () => {
    const { client, keyId, product } = await newStockedBrand(apps);
    const { level, movement } = await adjusted(client, product.tu_id, { location: 'WH', quantity: 7 });
    assert.match(level.updated_at, timestamp);
    assert.deepEqual(level, {
      sku: product.sku,
      product_tu_id: product.tu_id,
      variant_tu_id: null,
      location: 'WH',
      quantity: 7,
      reserved: 0,
      available: 7,
      source_updated_at: level.updated_at,
      updated_at: level.updated_at,
    });
    const { id, ...entry } = movement;
    assert.ok(Number.isSafeInteger(id));
    assert.deepEqual(entry, {
      product_tu_id: product.tu_id,
      variant_tu_id: null,
      sku: product.sku,
      location: 'WH',
      quantity_before: 0,
      quantity_after: 7,
      delta: 7,
      reason: 'manual',
      actor: null,
      note: `client-api:${keyId}`,
      created_at: level.updated_at,
    });
    assert.deepEqual(await ledgerOf(client, product.tu_id), [movement]);
    assert.deepEqual((await stockOf(client, product.tu_id)).levels, [level]);
  });

  // [catalog-86]
  it('is absolute: 7, then 3, then 3 again leaves 3 and two movements, and the third call has none', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const bodies = [];
    for (const quantity of [7, 3, 3]) bodies.push(await adjusted(client, tu_id, { quantity }));
    assert.deepEqual(
      bodies.map(({ movement }) => movement?.delta),
      [7, -4, undefined],
    );
    assert.ok(!('movement' in bodies[2]));
    assert.equal(bodies[2].level.quantity, 3);
    assert.deepEqual(await ledgerOf(client, tu_id), [bodies[0].movement, bodies[1].movement]);
  });

  it('to an equal quantity still sets source_updated_at, and keeps the level from becoming stale', async () => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 1 } });
    await newLocation(client, 'WH');
    const { tu_id, sku } = await newSimple(client);
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt: '2020-01-01T00:00:00Z' });
    assert.equal((await stockOf(client, tu_id)).availability.status, 'stale');
    const { level, movement } = await adjusted(client, tu_id, { location: 'WH', quantity: 9 });
    assert.equal(movement, undefined);
    assert.ok(level.source_updated_at > '2026');
    assert.equal((await stockOf(client, tu_id)).availability.status, 'in_stock');
    await assertStockTrue(apps);
  });

  // [catalog-87]
  it('accepts a note, which replaces the key’s id', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const note = '📦'.repeat(255);
    assert.equal((await adjusted(client, tu_id, { quantity: 1, note })).movement.note, note);
  });

  it('to 0 creates a missing level without a movement', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const { level, movement } = await adjusted(client, tu_id, { quantity: 0, expected_quantity: 0 });
    assert.deepEqual([level.quantity, movement], [0, undefined]);
    const stock = await stockOf(client, tu_id);
    assert.deepEqual(stock.availability, { status: 'out_of_stock', quantity: 0 });
    assert.deepEqual(stock.levels, [level]);
    await assertStockTrue(apps);
  });

  // [catalog-85]
  it('accepts quantities from 0 to 2,147,483,647, in one step', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const deltas = [];
    for (const quantity of [maxQuantity, 0, maxQuantity, maxQuantity - 1])
      deltas.push((await adjusted(client, tu_id, { quantity })).movement.delta);
    assert.deepEqual(deltas, [maxQuantity, -maxQuantity, maxQuantity, -1]);
    const expected = { quantity: maxQuantity, expected_quantity: maxQuantity - 1 };
    assert.equal((await adjusted(client, tu_id, expected)).level.quantity, maxQuantity);
    await assertStockTrue(apps);
  });

  it('sums levels beyond 2,147,483,647 exactly', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    for (const code of ['A', 'B', 'C']) {
      await newLocation(client, code);
      await adjusted(client, tu_id, { location: code, quantity: maxQuantity });
    }
    const product = await ok(client.get(`/catalog/products/${tu_id}`));
    assert.equal(product.stock_summary.total_quantity, 3 * maxQuantity);
    assert.equal((await stockOf(client, tu_id)).availability.quantity, 3 * maxQuantity);
  });

  // [catalog-72] [catalog-91]
  it('preserves the reservation, and available is never below 0', async () => {
    const { client, brandId, tu_id, sku } = await newStockedBrand(apps);
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, reserved: 4 });
    const { level } = await adjusted(client, tu_id, { location: 'WH', quantity: 3 });
    assert.deepEqual([level.quantity, level.reserved, level.available], [3, 4, 0]);
    const more = await adjusted(client, tu_id, { location: 'WH', quantity: 10 });
    assert.deepEqual([more.level.reserved, more.level.available], [4, 6]);
    const product = await ok(client.get(`/catalog/products/${tu_id}`));
    assert.deepEqual(product.stock_summary, { total_quantity: 10, total_reserved: 4 });
    await assertStockTrue(apps);
  });

  // [catalog-25]
  it('does not move the product’s updated_at', async () => {
    const { client } = await apps.newBrand();
    const product = await newSimple(client);
    await adjusted(client, product.tu_id, { quantity: 1 });
    assert.equal((await ok(client.get(`/catalog/products/${product.tu_id}`))).updated_at, product.updated_at);
  });

  // [catalog-90]
  it('works at an inactive location, which does not count as available', async () => {
    const { client } = await apps.newBrand();
    await newLocation(client, 'CLOSED', { is_active: false });
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { location: 'CLOSED', quantity: 5 });
    const stock = await stockOf(client, tu_id);
    assert.deepEqual(stock.availability, { status: 'out_of_stock', quantity: 0 });
    assert.equal(stock.levels[0].available, 5);
    await assertStockTrue(apps);
  });

  it('works for archived products and inactive variants', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'ARCHIVED', 1);
    await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { is_active: false }));
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { is_active: false }));
    await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 5 });
    assert.equal((await stockOf(client, product.tu_id)).variants[0].levels[0].quantity, 5);
    await assertStockTrue(apps);
  });
});

describe('a guarded adjustment', () => {
  // [catalog-92]
  it('succeeds if the level has expected_quantity, or 0 if there is no level', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 5, expected_quantity: 0 });
    await adjusted(client, tu_id, { quantity: 6, expected_quantity: 5 });
    const same = await adjusted(client, tu_id, { quantity: 6, expected_quantity: 6 });
    assert.equal(same.movement, undefined);
  });

  // [catalog-92]
  it('with another expected quantity gives stock_version_conflict with current_quantity, and changes nothing', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const none = await adjust(client, tu_id, { quantity: 5, expected_quantity: 4 });
    assert.deepEqual(
      [none.status, none.json.code, none.json.current_quantity],
      [409, 'stock_version_conflict', 0],
    );
    const { level } = await adjusted(client, tu_id, { quantity: 5 });
    for (const expected_quantity of [0, 4, 6, maxQuantity]) {
      const refused = await adjust(client, tu_id, { quantity: 5, expected_quantity });
      assert.deepEqual(
        [refused.status, refused.json.code, refused.json.current_quantity],
        [409, 'stock_version_conflict', 5],
      );
    }
    assert.deepEqual((await stockOf(client, tu_id)).levels, [level]);
    assert.equal((await ledgerOf(client, tu_id)).length, 1);
  });

  // [platform-65]
  it('that is refused frees its Idempotency-Key', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const path = `/catalog/products/${tu_id}/stock/adjust`;
    const headers = { 'idempotency-key': 'guarded' };
    const body = { quantity: 5, expected_quantity: 1 };
    assert.equal((await client.post(path, body, headers)).status, 409);
    await adjusted(client, tu_id, { quantity: 1 });
    assert.equal((await client.post(path, body, headers)).status, 200);
  });
});

// [catalog-93]
describe('a level that a feed has dated ahead', () => {
  it('is rejected_stale and unchanged', async () => {
    const { client, brandId, tu_id, sku } = await newStockedBrand(apps);
    const updatedAt = new Date(Date.now() + 3_600_000).toISOString();
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt });
    const before = await stockOf(client, tu_id);
    for (const quantity of [1, 9])
      assertRefused(await adjust(client, tu_id, { location: 'WH', quantity }), 'rejected_stale');
    const guarded = { location: 'WH', quantity: 1, expected_quantity: 9 };
    assertRefused(await adjust(client, tu_id, guarded), 'rejected_stale');
    assert.deepEqual(await stockOf(client, tu_id), before);
  });

  it('is reported after a wrong expected_quantity', async () => {
    const { client, brandId, tu_id, sku } = await newStockedBrand(apps);
    const updatedAt = new Date(Date.now() + 3_600_000).toISOString();
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt });
    const refused = await adjust(client, tu_id, { location: 'WH', quantity: 1, expected_quantity: 8 });
    assert.deepEqual([refused.json.code, refused.json.current_quantity], ['stock_version_conflict', 9]);
  });

  it('does not prevent changes of other levels of the product', async () => {
    const { client, brandId, tu_id, sku } = await newStockedBrand(apps);
    const updatedAt = new Date(Date.now() + 3_600_000).toISOString();
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt });
    await adjusted(client, tu_id, { quantity: 1 });
    await assertStockTrue(apps);
  });
});
