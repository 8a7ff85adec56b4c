// processes: applies feeds again and again, for seconds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { adjust, stockOf } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { parseFeedBody } from '../feed-body.ts';
import { addProducts, applyFeed, assertFeedsTrue, reportOf, sendFeed } from './feeds.ts';
import { lineWith, newStockedBrand } from './stocked-brand.ts';

const apps = await createTestApps({ runsJobs: true });
const { admin } = apps;
const dayMs = 86_400_000;

/** A time of 1 March 2026, 08:30:00, with these digits after the second. */
const second = (digits: string) => `2026-03-01T08:30:00${digits}Z`;
const timed = (quantity: number, digits: string) => lineWith(quantity, { updated_at: second(digits) });

type Ground = Awaited<ReturnType<typeof newStockedBrand>>;

const levelOf = async ({ client }: Pick<Ground, 'client'>) =>
  (await ok(client.get('/catalog/stock/levels?sku=A'))).data[0];

// [catalog-122]
describe('the time of a source', () => {
  it('decides between lines of a feed to the microsecond; further digits are cut off', async () => {
    const ground = await newStockedBrand(apps);
    const { client } = ground;
    assert.deepEqual(await applyFeed(client, [timed(9, '.123900'), timed(1, '.123100')]), [
      'applied',
      'superseded',
    ]);
    assert.equal((await levelOf(ground)).quantity, 9);
    // Equal to the microsecond: the last one counts.
    assert.deepEqual(await applyFeed(client, [timed(3, '.1240009'), timed(4, '.124000')]), [
      'superseded',
      'applied',
    ]);
    await assertFeedsTrue(apps);
  });

  it('decides between feeds, and in any offset', async () => {
    const ground = await newStockedBrand(apps);
    const { client } = ground;
    assert.deepEqual(await applyFeed(client, [timed(9, '.123900')]), ['applied']);
    assert.deepEqual(await applyFeed(client, [timed(1, '.123899')]), ['stale']);
    assert.deepEqual(await applyFeed(client, [timed(1, '.123')]), ['stale']);
    const elsewhere = lineWith(2, { updated_at: '2026-03-01T10:00:00.123900+01:30' });
    assert.deepEqual(await applyFeed(client, [elsewhere]), ['applied']);
    assert.deepEqual(await applyFeed(client, [timed(3, '.1239019')]), ['applied']);
    assert.equal((await levelOf(ground)).source_updated_at, second('.123901'));
    await assertFeedsTrue(apps);
  });

  it('is shown with three digits, or six, everywhere alike, and can be sent again', async () => {
    for (const [sent, shown] of [
      ['', '.000'],
      ['.5', '.500'],
      ['.123000', '.123'],
      ['.1239', '.123900'],
      ['.9999999', '.999999'],
    ] as const) {
      const ground = await newStockedBrand(apps);
      const { client, brandId, product } = ground;
      const { json } = await sendFeed(client, [timed(9, sent)]);
      await reportOf(client, json.feed_id);
      const token = (await ok(client.get('/catalog/stock/levels?changed_after=start'))).data[0];
      const explained = await ok(admin.get(`/brands/${brandId}/stock/explain?sku=A&location=L`));
      const lines = `/brands/${brandId}/feeds/${json.feed_id}/lines`;
      const [stored] = (await ok(admin.get(lines))).data;
      const [filtered] = (await ok(admin.get(`${lines}?result=applied`))).data;
      const csv = (await admin.get(`${lines}.csv`)).text;
      const jsonl = JSON.parse((await admin.get(`${lines}.jsonl`)).text);
      assert.deepEqual(
        {
          list: (await levelOf(ground)).source_updated_at,
          changes: token.source_updated_at,
          product: (await stockOf(client, product.tu_id)).levels[0].source_updated_at,
          explained: explained.level.source_updated_at,
          entry: explained.entries[0].feed.updated_at,
          stored: stored.updated_at,
          filtered: filtered.updated_at,
          csv: csv.includes(`,${second(shown)},`),
          jsonl: jsonl.updated_at,
        },
        {
          list: second(shown),
          changes: second(shown),
          product: second(shown),
          explained: second(shown),
          entry: second(shown),
          stored: second(shown),
          filtered: second(shown),
          csv: true,
          jsonl: second(shown),
        },
      );
      const again = lineWith(10, { updated_at: stored.updated_at });
      assert.deepEqual(await applyFeed(client, [again]), ['applied']);
    }
  });

  it('filters levels by updated_since to the microsecond', async () => {
    const { client } = await newStockedBrand(apps);
    await applyFeed(client, [timed(9, '.123900')]);
    const found = async (digits: string) =>
      (await ok(client.get(`/catalog/stock/levels?updated_since=${second(digits)}`))).meta.total;
    assert.deepEqual(
      [await found('.123'), await found('.1239'), await found('.1239009'), await found('.123901')],
      [1, 1, 1, 0],
    );
    const changes = await ok(
      client.get(`/catalog/stock/levels?changed_after=start&updated_since=${second('.123901')}`),
    );
    assert.deepEqual(changes.data, []);
  });

  it('stays the same when lines are sent again, so that a level that has moved on wins', async () => {
    const ground = await newStockedBrand(apps);
    const { client, brandId } = ground;
    const late = { sku: 'LATE', location_code: 'L', quantity: 5, updated_at: second('.123900') };
    const { json } = await sendFeed(client, [late]);
    await reportOf(client, json.feed_id);
    await addProducts(apps, brandId, ['LATE']);
    assert.deepEqual(await applyFeed(client, [{ ...late, quantity: 6, updated_at: second('.123950') }]), [
      'applied',
    ]);
    const path = `/brands/${brandId}/feeds/${json.feed_id}/requeue`;
    const again = await ok(admin.post(path, { results: ['unknown_sku'] }), 202);
    await reportOf(client, again.feed_id);
    const [line] = (await ok(admin.get(`/brands/${brandId}/feeds/${again.feed_id}/lines`))).data;
    assert.deepEqual([line.updated_at, line.result], [second('.123900'), 'stale']);
    const { refused } = await ok(admin.get(`/brands/${brandId}/stock/explain?sku=LATE&location=L`));
    assert.equal(refused[0].feed.updated_at, second('.123900'));
  });

  it('has its digits in a feed that is stored in another order too', async () => {
    const { client, brandId } = await newStockedBrand(apps);
    const lines = Array.from({ length: 10_001 }, (_, n) =>
      lineWith(1, { sku: `S${20_000 - n}`, updated_at: second(n % 2 === 0 ? '.123' : '.123456') }),
    );
    const { json } = await sendFeed(client, lines);
    await reportOf(client, json.feed_id);
    const path = `/brands/${brandId}/feeds/${json.feed_id}/lines`;
    const { data } = await ok(admin.get(`${path}?per_page=2`));
    const all = (await admin.get(`${path}.jsonl`)).text.trim().split('\n');
    for (const read of [data, all.slice(0, 2).map((text) => JSON.parse(text))])
      assert.deepEqual(
        read.map(({ updated_at }: { updated_at: string }) => updated_at),
        [second('.123'), second('.123456')],
      );
  });

  it('before the year 1970 has its digits too', async () => {
    const ground = await newStockedBrand(apps);
    const updated_at = '0001-01-01T00:00:00.000001Z';
    assert.deepEqual(await applyFeed(ground.client, [lineWith(3, { updated_at })]), ['applied']);
    assert.equal((await levelOf(ground)).source_updated_at, updated_at);
  });
});

// [catalog-123]
describe('a line that is dated ahead', () => {
  const ahead = (ms: number) => new Date(apps.clock.now() + ms).toISOString();
  const legacyFeed = async (brandId: number, updated_at: string) => {
    const { token } = await ok(admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Old ERP' }), 201);
    const body = { source: 's', mode: 'snapshot', lines: [lineWith(1), lineWith(9, { updated_at })] };
    const legacy = createApiClient(apps.clientApp, { prefix: '', token });
    return legacy.post('/v1/catalog/stock/feeds', body, { 'idempotency-key': updated_at });
  };

  it('by more than 24 hours is refused at its index, on both paths', async () => {
    const ground = await newStockedBrand(apps);
    const { client, brandId } = ground;
    for (const updated_at of ['9999-12-31T00:00:00Z', ahead(dayMs + 60_000)]) {
      const lines = [lineWith(1), lineWith(9, { updated_at })];
      assertRefused(await sendFeed(client, lines), 'validation_failed', ['lines.1.updated_at']);
      assertRefused(await legacyFeed(brandId, updated_at), 'validation_failed', ['lines.1.updated_at']);
    }
    assert.equal(await levelOf(ground), undefined);
  });

  it('is answered as ever if its batch was taken before lines had a latest time', async () => {
    const { client } = await newStockedBrand(apps);
    const lines = [lineWith(9, { updated_at: '9999-12-31T00:00:00Z' })];
    const bytes = Buffer.from(JSON.stringify({ source: 'test', mode: 'snapshot', lines }));
    const stored = parseFeedBody(bytes, { receivedAt: Date.now(), isKnown: true });
    assert.ok('feed' in stored);
    const first = (await sendFeed(client, [lineWith(9)], 'taken')).json.feed_id;
    await reportOf(client, first);
    await apps.sql('update stock_feeds set lines_sha256 = $2 where tu_id = $1', [
      first,
      Buffer.from(stored.feed.linesSha256),
    ]);
    const again = await sendFeed(client, lines, 'taken');
    assert.deepEqual([again.status, again.json.feed_id], [200, first]);
    assert.equal(again.headers['x-feed-body-differs'], undefined);
    assertRefused(await sendFeed(client, lines, 'new'), 'validation_failed', ['lines.0.updated_at']);
  });

  it('by less is accepted, and an adjustment says until when the level is closed', async () => {
    const ground = await newStockedBrand(apps);
    const { client, brandId, product } = ground;
    const updated_at = ahead(dayMs - 60_000).replace('Z', '456Z');
    assert.deepEqual(await applyFeed(client, [lineWith(9, { updated_at })]), ['applied']);
    assert.equal((await legacyFeed(brandId, updated_at)).status, 202);
    const refused = await adjust(client, product.tu_id, { location: 'L', quantity: 1 });
    assertRefused(refused, 'rejected_stale');
    assert.equal(refused.json.source_updated_at, updated_at);
    assert.match(refused.json.message, new RegExp(`until ${updated_at}`));
  });
});
