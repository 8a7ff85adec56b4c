import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertFeedLines } from '../../../../test/support/insert-feed-lines.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { examine, told } from '../../../doctor/tests/examine.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { getFeedReportUnless } from '../feed-lines-store.ts';
import { dropFeedLines } from '../feed-store.ts';
import { addProducts, feedsPath, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { sql } = apps;
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
await addProducts(apps, brandId, ['A', 'B']);
const finishedAt = new Date('2025-03-01T12:00:00.000Z');

/** Sends a feed and returns the path of its report. */
async function newFeed(batchId: string, count = 3): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) => ({
    sku: index === 0 ? 'A' : `S${index}`,
    location_code: 'L',
    quantity: index,
  }));
  const { json } = await sendFeed(client, lines, batchId);
  return `${feedsPath}/${json.feed_id}`;
}

async function newFinishedFeed(batchId: string, count?: number): Promise<string> {
  const path = await newFeed(batchId, count);
  await applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 60_000 });
  await sql('update stock_feeds set finished_at = $2 where brand_id = $1 and batch_id = $3', [
    brandId,
    finishedAt,
    batchId,
  ]);
  return path;
}

/** Drops the lines of feeds that finished before `finishedAt` plus `ms`, and returns their number. */
async function dropUntil(ms: number): Promise<number> {
  let lines = 0;
  for (;;) {
    const dropped = await apps.database.transaction((tx) =>
      dropFeedLines(tx, new Date(finishedAt.getTime() + ms)),
    );
    if (dropped === 0) return lines;
    lines += dropped;
  }
}

async function storedLines(path: string): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `select count(*) from stock_feed_lines l join stock_feeds f on f.brand_id = l.brand_id and f.id = l.feed_id
     where f.tu_id = $1`,
    [path.split('/').at(-1)],
  );
  return Number(row?.count);
}

// [catalog-118]
describe('dropping the lines of old feeds', () => {
  it('keeps lines that are exactly as old as the limit, and drops them a millisecond later', async () => {
    const path = await newFinishedFeed('edge');
    const before = await ok(client.get(path));
    assert.equal(before.lines.dropped_at, null);
    assert.equal(await dropUntil(0), 0);
    assert.deepEqual(await ok(client.get(path)), before);

    assert.equal(await dropUntil(1), 3);
    const { lines, ...report } = await ok(client.get(path));
    assert.deepEqual({ ...report, lines: before.lines }, before);
    assert.deepEqual([lines.data, lines.meta], [[], before.lines.meta]);
    assert.ok(Math.abs(Date.parse(lines.dropped_at) - Date.now()) < 60_000, lines.dropped_at);
    assert.equal(await storedLines(path), 0);
    assert.equal(await dropUntil(1), 0);
  });

  it('leaves feeds alone that are queued or in progress, regardless of their age', async () => {
    const path = await newFeed('unfinished');
    for (const status of ['queued', 'processing']) {
      await sql(`update stock_feeds set status = $2, received_at = '2001-01-01' where tu_id = $1`, [
        path.split('/').at(-1),
        status,
      ]);
      assert.equal(await dropUntil(1), 0);
      assert.equal(await storedLines(path), 3);
    }
    await sql(`update stock_feeds set status = 'failed', message = 'no', finished_at = $2 where tu_id = $1`, [
      path.split('/').at(-1),
      finishedAt,
    ]);
    assert.equal(await dropUntil(1), 3);
    const report = await ok(client.get(path));
    assert.deepEqual([report.status, report.message, report.lines.data], ['failed', 'no', []]);
  });

  it('keeps the batch id: a replay is 200 and says whether the lines differ', async () => {
    await newFinishedFeed('replayed', 2);
    assert.equal(await dropUntil(1), 2);
    const same = [
      { sku: 'A', location_code: 'L', quantity: 0 },
      { sku: 'S1', location_code: 'L', quantity: 1 },
    ];
    const again = await sendFeed(client, same, 'replayed');
    assert.deepEqual(
      [again.status, again.json.status, again.headers['x-feed-body-differs']],
      [200, 'completed', undefined],
    );
    const other = await sendFeed(client, same.slice(1), 'replayed');
    assert.deepEqual([other.status, other.headers['x-feed-body-differs']], [200, 'true']);
  });

  it('drops many feeds and a large reordered one in several transactions, two callers at once', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => newFeed(`many-${index}`, index + 1)));
    await newFinishedFeed('last', 9);
    await sql(
      `with feed as (
         insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line,
           totals, received_at, finished_at, report_order)
         values ($1, 'large', 'large', '', 'erp', 'completed', 12000, 12000, '{"unknown_sku": 12000}', $2, $2,
           array(select generate_series(11999, 0, -1)))
         returning id
       )
       ${insertFeedLines(`select $1::integer, id, n, 'x', 'L', 1, now(), 'unknown_sku' from feed, generate_series(0, 11999) n`)}`,
      [brandId, finishedAt],
    );
    await sql('update stock_feeds set finished_at = $2 where brand_id = $1 and finished_at > $2', [
      brandId,
      finishedAt,
    ]);
    const dropped = await Promise.all([dropUntil(1), dropUntil(1), dropUntil(1)]);
    assert.equal(
      dropped.reduce((sum, lines) => sum + lines, 0),
      12_000 + (9 * 10) / 2,
    );
    assert.deepEqual(await sql('select feed_id from stock_feed_packs limit 1'), []);
    const [left] = await sql<{ count: number }>(
      'select count(*) from stock_feeds where lines_dropped_at is null or report_order is not null',
    );
    assert.equal(Number(left?.count), 0);
  });

  it('shows a reader in between either all lines or the time at which they were dropped', async () => {
    const path = await newFinishedFeed('read-in-between');
    const { database } = apps;
    const tuId = path.split('/').at(-1) as string;
    let statements = 0;
    const report = await getFeedReportUnless(
      {
        run: async (asked) => {
          statements += 1;
          // After the feed was read and before its lines are.
          if (statements === 2) assert.equal(await dropUntil(1), 3);
          return database.run(asked);
        },
      },
      brandId,
      tuId,
      { page: { number: 1, size: 100, offset: 0 }, results: null, known: null },
    );
    assert.deepEqual([report?.lines, report?.feed.linesDroppedAt !== null], [[], true]);
  });

  it('is no damage to the doctor, which still finds totals that do not add up and lines that are left', async () => {
    // The products were inserted without counters.
    const feedDamage = async () =>
      (await examine(apps, true)).map(told).filter((finding) => !finding.startsWith('product_counters'));
    assert.deepEqual(await feedDamage(), []);
    const path = await newFinishedFeed('damaged');
    const id = path.split('/').at(-1) as string;
    const damage = (assignment: string) => sql(`update stock_feeds set ${assignment} where tu_id = $1`, [id]);
    await damage('lines_dropped_at = now()');
    assert.deepEqual(await feedDamage(), [`feed_totals ${id} dropped_lines: 0 > 3`]);
    await damage('lines_dropped_at = null');
    assert.equal(await dropUntil(1), 3);
    await damage(`totals = '{"applied": 2}'`);
    assert.deepEqual(await feedDamage(), [`feed_totals ${id} totals: 2 > 3`]);
    const [row] = await sql<{ totals: object }>('select totals from stock_feeds where tu_id = $1', [id]);
    assert.deepEqual(row?.totals, { applied: 2 }, 'the repair does not count lines that are gone');
  });
});
