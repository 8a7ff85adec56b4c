import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import {
  adjusted,
  ledgerOf,
  newLocation,
  newSimple,
  newStockedParent,
  stockOf,
} from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyFeed, assertFeedsTrue, levelsOf, reportOf, sendFeed } from './feeds.ts';

const apps = await createTestApps({ runsJobs: true });
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

async function brandWithStock() {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'L');
  const product = await newSimple(brand.client, 'A');
  return { ...brand, product };
}

async function levelAt(brandId: number, place = 'A@L') {
  const level = (await levelsOf(apps, brandId)).get(place);
  assert.ok(level, `there is no level ${place}`);
  return level;
}

const figure = (quantity: number, more: object = {}) => ({ sku: 'A', location_code: 'L', quantity, ...more });

describe('a line that is applied', () => {
  // [catalog-103]
  it('sets the absolute quantities of a level, which is created if there is none', async () => {
    const { client, brandId } = await brandWithStock();
    assert.deepEqual(await applyFeed(client, [figure(7, { reserved: 2, updated_at: at(1) })]), ['applied']);
    assert.deepEqual(await levelAt(brandId), {
      quantity: 7,
      reserved: 2,
      source_updated_at: new Date(at(1)),
      is_from_feed: true,
    });
    assert.deepEqual(await applyFeed(client, [figure(3, { reserved: 1, updated_at: at(2) })]), ['applied']);
    const { quantity, reserved } = await levelAt(brandId);
    assert.deepEqual([quantity, reserved], [3, 1]);
    await assertFeedsTrue(apps);
  });

  it('creates a level of 0 too, without a movement', async () => {
    const { client, brandId, product } = await brandWithStock();
    assert.deepEqual(await applyFeed(client, [figure(0)]), ['applied']);
    assert.equal((await levelAt(brandId)).quantity, 0);
    assert.deepEqual(await ledgerOf(client, product.tu_id), []);
  });

  // [catalog-110]
  it('writes a movement with reason feed and the feed’s id, and no actor', async () => {
    const { client, product } = await brandWithStock();
    const sent = await sendFeed(client, [figure(5)]);
    await reportOf(client, sent.json.feed_id);
    const [movement] = await ledgerOf(client, product.tu_id);
    const { reason, note, actor, sku, location, quantity_before, quantity_after, delta } = movement;
    assert.deepEqual(
      { reason, note, actor, sku, location, quantity_before, quantity_after, delta },
      {
        reason: 'feed',
        note: `feed:${sent.json.feed_id}`,
        actor: null,
        sku: 'A',
        location: 'L',
        quantity_before: 0,
        quantity_after: 5,
        delta: 5,
      },
    );
  });

  // [catalog-101]
  it('keeps reserved when the line omits it, and is applied when only reserved differs', async () => {
    const { client, brandId, product } = await brandWithStock();
    await applyFeed(client, [figure(7, { reserved: 2 })]);
    assert.deepEqual(await applyFeed(client, [figure(8)]), ['applied']);
    assert.equal((await levelAt(brandId)).reserved, 2);
    assert.deepEqual(await applyFeed(client, [figure(8, { reserved: 5 })]), ['applied']);
    assert.equal((await levelAt(brandId)).reserved, 5);
    assert.equal((await ledgerOf(client, product.tu_id)).length, 2, 'reserved alone moves nothing');
    await assertFeedsTrue(apps);
  });

  it('applies to a variant by the variant’s SKU', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'L');
    const { product } = await newStockedParent(client, 'P', 2);
    const lines = [
      { sku: 'P-1', location_code: 'L', quantity: 4, reserved: 1 },
      { sku: 'P-2', location_code: 'L', quantity: 6 },
    ];
    assert.deepEqual(await applyFeed(client, lines), ['applied', 'applied']);
    const { variants, availability } = await stockOf(client, product.tu_id);
    assert.deepEqual(
      variants.map(({ levels }: { levels: { quantity: number }[] }) =>
        levels.map(({ quantity }) => quantity),
      ),
      [[4], [6]],
    );
    assert.deepEqual(availability, { status: 'in_stock', quantity: 9 });
    assert.equal((await levelsOf(apps, brandId)).size, 2);
    await assertFeedsTrue(apps);
  });

  // [catalog-109]
  it('may name an inactive location', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'CLOSED', { is_active: false });
    const { tu_id } = await newSimple(client, 'A');
    assert.deepEqual(await applyFeed(client, [figure(5, { location_code: 'CLOSED' })]), ['applied']);
    assert.equal((await levelAt(brandId, 'A@CLOSED')).quantity, 5);
    assert.deepEqual((await stockOf(client, tu_id)).availability, { status: 'out_of_stock', quantity: 0 });
    await assertFeedsTrue(apps);
  });

  // [catalog-109]
  it('may name the default location by its code, once it exists', async () => {
    const { client, brandId, product } = await brandWithStock();
    const line = figure(5, { location_code: '__default__' });
    assert.deepEqual(await applyFeed(client, [line]), ['unknown_location']);
    await adjusted(client, product.tu_id, { quantity: 1 });
    assert.deepEqual(await applyFeed(client, [line]), ['applied']);
    assert.equal((await levelAt(brandId, 'A@__default__')).quantity, 5);
    await assertFeedsTrue(apps);
  });

  // [catalog-101]
  it('leaves levels that no line names', async () => {
    const { client, brandId } = await brandWithStock();
    await newSimple(client, 'B');
    await applyFeed(client, [figure(7), { ...figure(9), sku: 'B' }]);
    await applyFeed(client, [figure(1)]);
    assert.equal((await levelAt(brandId, 'B@L')).quantity, 9);
  });

  it('does not move the product’s updated_at', async () => {
    const { client, product } = await brandWithStock();
    await applyFeed(client, [figure(7)]);
    const after = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.equal(after.updated_at, product.updated_at);
    assert.deepEqual(after.stock_summary, { total_quantity: 7, total_reserved: 0 });
  });

  // [catalog-102]
  it('without a timestamp has the time of receipt', async () => {
    const { client, brandId } = await brandWithStock();
    const before = Date.now();
    await applyFeed(client, [figure(7)]);
    const { source_updated_at } = await levelAt(brandId);
    assert.ok(
      source_updated_at.getTime() >= before - 1_000 && source_updated_at.getTime() <= Date.now() + 1_000,
    );
  });
});

describe('a line with the current quantities', () => {
  // [catalog-107]
  it('is unchanged, but the level’s timestamp and origin are updated, and nothing else', async () => {
    const { client, brandId, product } = await brandWithStock();
    await applyFeed(client, [figure(7, { reserved: 2, updated_at: at(1) })]);
    assert.deepEqual(await applyFeed(client, [figure(7, { updated_at: at(2) })]), ['unchanged']);
    assert.deepEqual(await applyFeed(client, [figure(7, { reserved: 2, updated_at: at(3) })]), ['unchanged']);
    assert.deepEqual((await levelAt(brandId)).source_updated_at, new Date(at(3)));
    assert.equal((await ledgerOf(client, product.tu_id)).length, 1);
    await adjusted(client, product.tu_id, { quantity: 7, location: 'L' });
    assert.equal((await levelAt(brandId)).is_from_feed, false);
    assert.deepEqual(await applyFeed(client, [figure(7)]), ['unchanged']);
    assert.equal((await levelAt(brandId)).is_from_feed, true);
    await assertFeedsTrue(apps);
  });

  it('makes stale stock fresh again', async () => {
    const { client } = await apps.newBrand({ settings: { stale_after_hours: 1 } });
    await newLocation(client, 'L');
    const { tu_id } = await newSimple(client, 'A');
    const status = async () => (await stockOf(client, tu_id)).availability.status;
    await applyFeed(client, [figure(70, { updated_at: at(1) })]);
    assert.equal(await status(), 'stale');
    assert.deepEqual(await applyFeed(client, [figure(70)]), ['unchanged']);
    assert.equal(await status(), 'in_stock');
  });
});

describe('a line that is older than its level', () => {
  // [catalog-106]
  it('is stale and changes nothing; an equally old one is applied', async () => {
    const { client, brandId } = await brandWithStock();
    await applyFeed(client, [figure(7, { updated_at: at(5) })]);
    assert.deepEqual(await applyFeed(client, [figure(1, { updated_at: at(4) })]), ['stale']);
    assert.deepEqual(await applyFeed(client, [figure(7, { updated_at: at(4) })]), ['stale']);
    const { quantity, source_updated_at } = await levelAt(brandId);
    assert.deepEqual([quantity, source_updated_at], [7, new Date(at(5))]);
    assert.deepEqual(await applyFeed(client, [figure(2, { updated_at: at(5) })]), ['applied']);
    assert.equal((await levelAt(brandId)).quantity, 2);
  });

  it('is stale after an adjustment, which is dated to the moment it was made', async () => {
    const { client, brandId, product } = await brandWithStock();
    await adjusted(client, product.tu_id, { quantity: 7, location: 'L' });
    assert.deepEqual(await applyFeed(client, [figure(1, { updated_at: at(1) })]), ['stale']);
    assert.equal((await levelAt(brandId)).quantity, 7);
    assert.deepEqual(await applyFeed(client, [figure(1)]), ['applied']);
    await assertFeedsTrue(apps);
  });

  it('feeds that arrive in any order leave the newest quantities', async () => {
    const { client, brandId } = await brandWithStock();
    const results = [];
    for (const minute of [3, 1, 5, 2, 4])
      results.push(...(await applyFeed(client, [figure(minute, { updated_at: at(minute) })])));
    assert.deepEqual(results, ['applied', 'stale', 'applied', 'stale', 'stale']);
    assert.equal((await levelAt(brandId)).quantity, 5);
  });
});

describe('a line that names no valid place for stock', () => {
  // [catalog-103] [catalog-108]
  it('is unknown_sku, unknown_location or not_stockable', async () => {
    const { client } = await brandWithStock();
    await newStockedParent(client, 'P', 1);
    const lines = [
      figure(1, { sku: 'NOWHERE' }),
      figure(1, { sku: 'a' }),
      figure(1, { location_code: 'l' }),
      figure(1, { location_code: 'no such place' }),
      figure(1, { sku: 'P' }),
      figure(1),
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
    const { client } = await brandWithStock();
    await newStockedParent(client, 'P', 1);
    await applyFeed(client, [figure(1)]);
    const old = { updated_at: at(1) };
    const lines = [
      figure(1, { sku: 'NOWHERE', location_code: 'X', ...old }),
      figure(1, { sku: 'NOWHERE', location_code: 'X', updated_at: at(2) }),
      figure(1, { sku: 'P', location_code: 'X', ...old }),
      figure(1, { location_code: 'X', ...old }),
      figure(1, old),
      figure(1, { updated_at: at(2) }),
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
    assert.equal((await levelAt(brandId, 'P-1@L')).quantity, 4);
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
    assert.equal((await levelAt(brandId, 'P@L')).quantity, 4);
  });

  it('follows a SKU that was given to another product', async () => {
    const { client, brandId, product } = await brandWithStock();
    await applyFeed(client, [figure(1)]);
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { sku: 'B' }));
    assert.deepEqual(await applyFeed(client, [figure(2)]), ['unknown_sku']);
    await newSimple(client, 'A');
    assert.deepEqual(await applyFeed(client, [figure(3), figure(4, { sku: 'B' })]), ['applied', 'applied']);
    const levels = await levelsOf(apps, brandId);
    assert.deepEqual([levels.get('A@L')?.quantity, levels.get('B@L')?.quantity], [3, 4]);
    await assertFeedsTrue(apps);
  });

  it('is never confused with a place of another brand with the same names', async () => {
    const mine = await brandWithStock();
    const other = await apps.newBrand();
    assert.deepEqual(await applyFeed(other.client, [figure(1)]), ['unknown_sku']);
    await newSimple(other.client, 'A');
    assert.deepEqual(await applyFeed(other.client, [figure(1)]), ['unknown_location']);
    assert.equal((await levelsOf(apps, mine.brandId)).size, 0);
  });
});

describe('several lines for one SKU and location', () => {
  // [catalog-105]
  it('count once, with the newest quantity; the others are superseded', async () => {
    const { client, brandId } = await brandWithStock();
    const lines = [
      figure(1, { updated_at: at(2) }),
      figure(2, { updated_at: at(3) }),
      figure(3, { updated_at: at(1) }),
      figure(4, { updated_at: at(3) }),
    ];
    assert.deepEqual(await applyFeed(client, lines), ['superseded', 'superseded', 'superseded', 'applied']);
    assert.equal((await levelAt(brandId)).quantity, 4);
  });
});

it('a feed whose first thousands of lines are all superseded is applied like any other', async () => {
  const { client, brandId } = await brandWithStock();
  const lines = Array.from({ length: 3_500 }, (_, index) => figure(index));
  const { json } = await sendFeed(client, lines);
  const report = await reportOf(client, json.feed_id);
  assert.deepEqual(report.totals, { received: 3_500, superseded: 3_499, applied: 1 });
  assert.equal((await levelAt(brandId)).quantity, 3_499);
  await assertFeedsTrue(apps);
});

it('a quantity may be as large as the column, and sums larger', async () => {
  const { client } = await apps.newBrand();
  await Promise.all(['L', 'M', 'N'].map((code) => newLocation(client, code)));
  const { tu_id } = await newSimple(client, 'A');
  const most = 2_147_483_647;
  const lines = ['L', 'M', 'N'].map((location_code) => figure(most, { location_code, reserved: 1 }));
  assert.deepEqual(await applyFeed(client, lines), ['applied', 'applied', 'applied']);
  assert.equal((await stockOf(client, tu_id)).availability.quantity, 3 * (most - 1));
  await applyFeed(
    client,
    lines.map((line) => ({ ...line, quantity: 0, reserved: most })),
  );
  assert.deepEqual((await ok(client.get(`/catalog/products/${tu_id}`))).stock_summary, {
    total_quantity: 0,
    total_reserved: 3 * most,
  });
  await assertFeedsTrue(apps);
});

it('variants that are deactivated and activated while feeds change their levels are counted correctly', async () => {
  const { client } = await apps.newBrand();
  await newLocation(client, 'L');
  const { product, variants } = await newStockedParent(client, 'P', 2);
  const status = async (api: ApiClient) => (await stockOf(api, product.tu_id)).availability;
  const feed = (quantity: number) =>
    applyFeed(client, [
      { sku: 'P-1', location_code: 'L', quantity },
      { sku: 'P-2', location_code: 'L', quantity },
    ]);
  await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { is_active: false }));
  await feed(10);
  assert.equal((await status(client)).quantity, 10);
  await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { is_active: true }));
  assert.equal((await status(client)).quantity, 20);
  await feed(7);
  assert.equal((await status(client)).quantity, 14);
  await assertFeedsTrue(apps);
});
