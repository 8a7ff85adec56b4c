import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { reportOf, type SentLine, sendFeed } from '../../feeds/tests/feeds.ts';
import { ok } from '../../tests/new-axes.ts';
import { adjusted, newSimple, newStockedBrand } from './stock.ts';

const apps = await createTestApps({ runsJobs: true });

type Ground = Awaited<ReturnType<typeof newStockedBrand>>;

/** Explains the level of the brand's product at `WH`. */
const explain = ({ brandId, sku }: Pick<Ground, 'brandId' | 'sku'>, query = '') =>
  ok(apps.admin.get(`/brands/${brandId}/stock/explain?sku=${sku}&location=WH${query}`));

async function feed({ client }: Ground, lines: readonly SentLine[], batchId: string) {
  const sent = await sendFeed(client, lines, batchId);
  await reportOf(client, sent.json.feed_id);
  return { feed_id: sent.json.feed_id as string, requestId: sent.headers['x-request-id'] };
}

describe('explaining a quantity', () => {
  // [internal-70]
  it('leads from the level to the adjustments and lines of feeds, with key, request and place in the feed', async () => {
    const ground = await newStockedBrand(apps);
    const { client, keyId, sku, tu_id } = ground;
    const other = await newSimple(client);
    const { movement } = await adjusted(client, tu_id, { location: 'WH', quantity: 3, note: 'Stocktake' });
    const updated_at = new Date(Date.now() + 1_000).toISOString();
    const lines = [
      { sku: other.sku, location_code: 'WH', quantity: 1 },
      { sku, location_code: 'WH', quantity: 7, updated_at },
    ];
    const { feed_id, requestId } = await feed(ground, lines, 'erp-1');
    const { level, quantity_at, entries, refused } = await explain(ground);
    assert.equal(level.quantity, 7);
    assert.equal(quantity_at, 7);
    assert.deepEqual(refused, []);
    assert.equal(entries.length, 2);
    const [byFeed, byHand] = entries;
    assert.deepEqual(
      { ...byFeed, id: 0, at: '' },
      {
        id: 0,
        kind: 'feed_line',
        at: '',
        quantity_before: 3,
        quantity_after: 7,
        reason: 'feed',
        note: `feed:${feed_id}`,
        key_id: keyId,
        request_id: requestId,
        feed: { feed_id, source_batch_id: 'erp-1', line: 1, updated_at },
      },
    );
    assert.equal(byHand.id, movement.id);
    assert.equal(byHand.at, movement.created_at);
    assert.equal(byHand.note, 'Stocktake');
    assert.equal(byHand.key_id, keyId);
    assert.match(byHand.request_id, /^[0-9a-f-]{36}$/);
    assert.equal(byHand.feed, null);
  });

  // [internal-70]
  it('shows the lines that were refused: stale ones, and those superseded in their own feed', async () => {
    const ground = await newStockedBrand(apps);
    const { client, sku, tu_id } = ground;
    await adjusted(client, tu_id, { location: 'WH', quantity: 3 });
    const old = { sku, location_code: 'WH', quantity: 9, updated_at: '2026-01-01T00:00:00.000Z' };
    const stale = await feed(ground, [old], 'stale');
    const ahead = new Date(Date.now() + 60_000).toISOString();
    const newer = { ...old, quantity: 5, updated_at: ahead };
    const twice = await feed(ground, [newer, old], 'twice');
    const { entries, refused } = await explain(ground);
    assert.deepEqual(
      entries.map(({ quantity_after }: { quantity_after: number }) => quantity_after),
      [5, 3],
    );
    const shown = refused.map(({ at: _, key_id: __, request_id, ...rest }: Record<string, unknown>) => ({
      ...rest,
      request_id,
    }));
    const line = { updated_at: old.updated_at };
    assert.deepEqual(shown, [
      {
        result: 'superseded',
        quantity: 9,
        request_id: twice.requestId,
        feed: { feed_id: twice.feed_id, source_batch_id: 'twice', line: 1, ...line },
      },
      {
        result: 'stale',
        quantity: 9,
        request_id: stale.requestId,
        feed: { feed_id: stale.feed_id, source_batch_id: 'stale', line: 0, ...line },
      },
    ]);
  });

  // [internal-70] [D120]
  it('lists refused lines page by page, each once, between the movements that they came between', async () => {
    const ground = await newStockedBrand(apps);
    const { client, sku, tu_id } = ground;
    const line = (quantity: number, updated_at: string) => ({
      sku,
      location_code: 'WH',
      quantity,
      updated_at,
    });
    const old = (quantity: number) => line(quantity, '2026-01-01T00:00:00.000Z');
    await adjusted(client, tu_id, { location: 'WH', quantity: 1 });
    await feed(ground, [old(10), old(11), old(12), old(13), old(14)], 'before');
    await adjusted(client, tu_id, { location: 'WH', quantity: 2 });
    await feed(ground, [old(20), old(21)], 'between');
    await adjusted(client, tu_id, { location: 'WH', quantity: 3 });
    const quantitiesOf = ({ refused }: { refused: { quantity: number }[] }) =>
      refused.map(({ quantity }) => quantity);
    const newest = await explain(ground, '&limit=2');
    assert.deepEqual(quantitiesOf(newest), [21, 20]);
    assert.equal(newest.refused_next, null);
    const before = `&limit=2&before=${newest.entries[1].id}`;
    const walked: number[][] = [];
    let page = await explain(ground, before);
    walked.push(quantitiesOf(page));
    while (page.refused_next !== null) {
      page = await explain(ground, `${before}&refused_before=${page.refused_next}`);
      assert.equal(page.entries.length, 1, 'the movements of the page stay the same');
      walked.push(quantitiesOf(page));
    }
    assert.deepEqual(walked, [[14, 13], [12, 11], [10]]);
    assertRefused(
      await apps.admin.get(
        `/brands/${ground.brandId}/stock/explain?sku=${sku}&location=WH&refused_before=last`,
      ),
      'validation_failed',
      ['refused_before'],
    );
  });

  it('pages back by movement, and tells the quantity at any instant', async () => {
    const ground = await newStockedBrand(apps);
    const { client, tu_id } = ground;
    const movements = [];
    for (const quantity of [4, 8, 15, 16])
      movements.push((await adjusted(client, tu_id, { location: 'WH', quantity })).movement);
    const idsOf = ({ entries }: { entries: { id: number }[] }) => entries.map(({ id }) => id);
    const [first, second, third, fourth] = movements.map(({ id }) => id);
    assert.deepEqual(idsOf(await explain(ground, '&limit=2')), [fourth, third]);
    assert.deepEqual(idsOf(await explain(ground, `&limit=2&before=${third}`)), [second, first]);
    const then = await explain(ground, `&at=${movements[1].created_at}`);
    assert.equal(then.quantity_at, 8);
    assert.equal(then.level.quantity, 16);
    assert.deepEqual([then.first_at, then.next_at], [movements[0].created_at, movements[2].created_at]);
    const now = await explain(ground);
    assert.deepEqual([now.first_at, now.next_at], [movements[0].created_at, null]);
    const never = await explain(ground, '&at=2020-01-01T00:00:00Z');
    assert.deepEqual([never.first_at, never.next_at], [movements[0].created_at, movements[0].created_at]);
    assert.equal((await explain(ground, '&at=2020-01-01T00:00:00Z')).quantity_at, 0);
    assert.deepEqual(idsOf(await explain(ground, '&at=2020-01-01T00:00:00Z')), []);
  });

  it('of a level that does not exist has no entries; an unknown SKU, location or brand is 404', async () => {
    const ground = await newStockedBrand(apps);
    const none = {
      level: null,
      quantity_at: 0,
      first_at: null,
      next_at: null,
      entries: [],
      refused: [],
      refused_next: null,
    };
    assert.deepEqual(await explain(ground), none);
    const { brandId, sku } = ground;
    const foreign = await newStockedBrand(apps);
    for (const [brand, query] of [
      [brandId, `sku=${sku}&location=NONE`],
      [brandId, 'sku=NONE&location=WH'],
      [brandId, `sku=${foreign.sku}-x&location=WH`],
      [999_999, `sku=${sku}&location=WH`],
    ])
      assertRefused(await apps.admin.get(`/brands/${brand}/stock/explain?${query}`), 'not_found');
    const invalid = await apps.admin.get(`/brands/${brandId}/stock/explain?sku=${sku}&at=yesterday&limit=0`);
    assert.deepEqual(Object.keys(invalid.json.errors).sort(), ['at', 'limit', 'location']);
  });

  it('agrees with the ledger after a storm of adjustments and feeds', async () => {
    const ground = await newStockedBrand(apps);
    const { client, brandId, sku, tu_id } = ground;
    const work = Array.from({ length: 30 }, async (_, n) => {
      if (n % 3 > 0) return adjusted(client, tu_id, { location: 'WH', quantity: n }).catch(() => null);
      const updated_at = new Date(Date.now() + (n % 2 === 0 ? -1 : 1) * n).toISOString();
      return feed(ground, [{ sku, location_code: 'WH', quantity: 100 + n, updated_at }], `storm-${n}`);
    });
    await Promise.all(work);
    const { level, entries, refused } = await explain(ground, '&limit=200');
    const ledger = await ok(client.get(`/catalog/products/${tu_id}/stock/movements?per_page=200`));
    assert.deepEqual(
      entries.map(({ id }: { id: number }) => id),
      ledger.data.map(({ id }: { id: number }) => id),
    );
    assert.equal(entries[0].quantity_after, level.quantity);
    for (const [n, entry] of entries.slice(1).entries())
      assert.equal(entry.quantity_after, entries[n].quantity_before, 'the chain has no gap');
    const lines = await apps.sql(
      `select count(*) as n from stock_feed_lines where brand_id = $1 and result in ('stale', 'superseded')`,
      [brandId],
    );
    assert.equal(refused.length, lines[0]?.['n']);
  });
});
