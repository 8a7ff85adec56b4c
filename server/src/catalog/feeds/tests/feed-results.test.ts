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
import { at, levelAt, lineWith, newStockedBrand } from './stocked-brand.ts';

const apps = await createTestApps({ runsJobs: true });

describe('a line that is applied', () => {
  // [catalog-103]
  it('sets the absolute quantities of a level, which is created if there is none', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    assert.deepEqual(await applyFeed(client, [lineWith(7, { reserved: 2, updated_at: at(1) })]), ['applied']);
    assert.deepEqual(await levelAt(apps, brandId), {
      quantity: 7,
      reserved: 2,
      source_updated_at: new Date(at(1)),
      is_from_feed: true,
    });
    assert.deepEqual(await applyFeed(client, [lineWith(3, { reserved: 1, updated_at: at(2) })]), ['applied']);
    const { quantity, reserved } = await levelAt(apps, brandId);
    assert.deepEqual([quantity, reserved], [3, 1]);
    await assertFeedsTrue(apps);
  });

  it('creates a level of 0 too, without a movement', async () => {
    const { client, brandId, product } = await newStockedBrand(apps);
    assert.deepEqual(await applyFeed(client, [lineWith(0)]), ['applied']);
    assert.equal((await levelAt(apps, brandId)).quantity, 0);
    assert.deepEqual(await ledgerOf(client, product.tu_id), []);
  });

  // [catalog-110]
  it('writes a movement with reason feed and the feed’s id, and no actor', async () => {
    const { client, product } = await newStockedBrand(apps);
    const sent = await sendFeed(client, [lineWith(5)]);
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
    const { client, brandId, product } = await newStockedBrand(apps);
    await applyFeed(client, [lineWith(7, { reserved: 2 })]);
    assert.deepEqual(await applyFeed(client, [lineWith(8)]), ['applied']);
    assert.equal((await levelAt(apps, brandId)).reserved, 2);
    assert.deepEqual(await applyFeed(client, [lineWith(8, { reserved: 5 })]), ['applied']);
    assert.equal((await levelAt(apps, brandId)).reserved, 5);
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
    assert.deepEqual(await applyFeed(client, [lineWith(5, { location_code: 'CLOSED' })]), ['applied']);
    assert.equal((await levelAt(apps, brandId, 'A@CLOSED')).quantity, 5);
    assert.deepEqual((await stockOf(client, tu_id)).availability, { status: 'out_of_stock', quantity: 0 });
    await assertFeedsTrue(apps);
  });

  // [catalog-109]
  it('may name the default location by its code, once it exists', async () => {
    const { client, brandId, product } = await newStockedBrand(apps);
    const line = lineWith(5, { location_code: '__default__' });
    assert.deepEqual(await applyFeed(client, [line]), ['unknown_location']);
    await adjusted(client, product.tu_id, { quantity: 1 });
    assert.deepEqual(await applyFeed(client, [line]), ['applied']);
    assert.equal((await levelAt(apps, brandId, 'A@__default__')).quantity, 5);
    await assertFeedsTrue(apps);
  });

  // [catalog-101]
  it('leaves levels that no line names', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    await newSimple(client, 'B');
    await applyFeed(client, [lineWith(7), { ...lineWith(9), sku: 'B' }]);
    await applyFeed(client, [lineWith(1)]);
    assert.equal((await levelAt(apps, brandId, 'B@L')).quantity, 9);
  });

  it('does not move the product’s updated_at', async () => {
    const { client, product } = await newStockedBrand(apps);
    await applyFeed(client, [lineWith(7)]);
    const after = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.equal(after.updated_at, product.updated_at);
    assert.deepEqual(after.stock_summary, { total_quantity: 7, total_reserved: 0 });
  });

  // [catalog-102]
  it('without a timestamp has the time of receipt', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    const before = Date.now();
    await applyFeed(client, [lineWith(7)]);
    const { source_updated_at } = await levelAt(apps, brandId);
    assert.ok(
      source_updated_at.getTime() >= before - 1_000 && source_updated_at.getTime() <= Date.now() + 1_000,
    );
  });
});

describe('a line with the current quantities', () => {
  // [catalog-107]
  it('is unchanged, but the level’s timestamp and origin are updated, and nothing else', async () => {
    const { client, brandId, product } = await newStockedBrand(apps);
    await applyFeed(client, [lineWith(7, { reserved: 2, updated_at: at(1) })]);
    assert.deepEqual(await applyFeed(client, [lineWith(7, { updated_at: at(2) })]), ['unchanged']);
    assert.deepEqual(await applyFeed(client, [lineWith(7, { reserved: 2, updated_at: at(3) })]), [
      'unchanged',
    ]);
    assert.deepEqual((await levelAt(apps, brandId)).source_updated_at, new Date(at(3)));
    assert.equal((await ledgerOf(client, product.tu_id)).length, 1);
    await adjusted(client, product.tu_id, { quantity: 7, location: 'L' });
    assert.equal((await levelAt(apps, brandId)).is_from_feed, false);
    assert.deepEqual(await applyFeed(client, [lineWith(7)]), ['unchanged']);
    assert.equal((await levelAt(apps, brandId)).is_from_feed, true);
    await assertFeedsTrue(apps);
  });

  it('makes stale stock fresh again', async () => {
    const { client } = await apps.newBrand({ settings: { stale_after_hours: 1 } });
    await newLocation(client, 'L');
    const { tu_id } = await newSimple(client, 'A');
    const status = async () => (await stockOf(client, tu_id)).availability.status;
    await applyFeed(client, [lineWith(70, { updated_at: at(1) })]);
    assert.equal(await status(), 'stale');
    assert.deepEqual(await applyFeed(client, [lineWith(70)]), ['unchanged']);
    assert.equal(await status(), 'in_stock');
  });
});

describe('a line that is older than its level', () => {
  // [catalog-106]
  it('is stale and changes nothing; an equally old one is applied', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    await applyFeed(client, [lineWith(7, { updated_at: at(5) })]);
    assert.deepEqual(await applyFeed(client, [lineWith(1, { updated_at: at(4) })]), ['stale']);
    assert.deepEqual(await applyFeed(client, [lineWith(7, { updated_at: at(4) })]), ['stale']);
    const { quantity, source_updated_at } = await levelAt(apps, brandId);
    assert.deepEqual([quantity, source_updated_at], [7, new Date(at(5))]);
    assert.deepEqual(await applyFeed(client, [lineWith(2, { updated_at: at(5) })]), ['applied']);
    assert.equal((await levelAt(apps, brandId)).quantity, 2);
  });

  it('is stale after an adjustment, which is dated to the moment it was made', async () => {
    const { client, brandId, product } = await newStockedBrand(apps);
    await adjusted(client, product.tu_id, { quantity: 7, location: 'L' });
    assert.deepEqual(await applyFeed(client, [lineWith(1, { updated_at: at(1) })]), ['stale']);
    assert.equal((await levelAt(apps, brandId)).quantity, 7);
    assert.deepEqual(await applyFeed(client, [lineWith(1)]), ['applied']);
    await assertFeedsTrue(apps);
  });

  it('feeds that arrive in any order leave the newest quantities', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    const results = [];
    for (const minute of [3, 1, 5, 2, 4])
      results.push(...(await applyFeed(client, [lineWith(minute, { updated_at: at(minute) })])));
    assert.deepEqual(results, ['applied', 'stale', 'applied', 'stale', 'stale']);
    assert.equal((await levelAt(apps, brandId)).quantity, 5);
  });
});

describe('several lines for one SKU and location', () => {
  // [catalog-105]
  it('count once, with the newest quantity; the others are superseded', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    const lines = [
      lineWith(1, { updated_at: at(2) }),
      lineWith(2, { updated_at: at(3) }),
      lineWith(3, { updated_at: at(1) }),
      lineWith(4, { updated_at: at(3) }),
    ];
    assert.deepEqual(await applyFeed(client, lines), ['superseded', 'superseded', 'superseded', 'applied']);
    assert.equal((await levelAt(apps, brandId)).quantity, 4);
  });
});

it('a feed whose first thousands of lines are all superseded is applied like any other', async () => {
  const { client, brandId } = await newStockedBrand(apps);
  const lines = Array.from({ length: 3_500 }, (_, index) => lineWith(index));
  const { json } = await sendFeed(client, lines);
  const report = await reportOf(client, json.feed_id);
  assert.deepEqual(report.totals, { received: 3_500, superseded: 3_499, applied: 1 });
  assert.equal((await levelAt(apps, brandId)).quantity, 3_499);
  await assertFeedsTrue(apps);
});

it('a quantity may be as large as the column, and sums larger', async () => {
  const { client } = await apps.newBrand();
  await Promise.all(['L', 'M', 'N'].map((code) => newLocation(client, code)));
  const { tu_id } = await newSimple(client, 'A');
  const most = 2_147_483_647;
  const lines = ['L', 'M', 'N'].map((location_code) => lineWith(most, { location_code, reserved: 1 }));
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
