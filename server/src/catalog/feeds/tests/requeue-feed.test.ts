import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { dropFeedLines } from '../feed-store.ts';
import { addProducts, assertFeedsTrue, levelsOf, type SentLine, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { admin, sql } = apps;
const day = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** Creates a brand with the location `L` and the product `A`, and a finished feed of these lines. */
async function brandWithFeed(lines: readonly SentLine[]) {
  const brand = await apps.newBrand();
  await ok(brand.client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
  await addProducts(apps, brand.brandId, ['A']);
  const apply = async () => {
    while (
      (await applyBrandFeeds(apps.context, unobserved, brand.brandId, { sliceMs: 60_000 })) !== 'finished'
    );
  };
  const { json } = await sendFeed(brand.client, lines);
  await apply();
  const path = `/brands/${brand.brandId}/feeds/${json.feed_id}`;
  const requeue = (...results: string[]) => admin.post(`${path}/requeue`, { results });
  const linesOf = async (feedId: string) =>
    (await ok(admin.get(`/brands/${brand.brandId}/feeds/${feedId}/lines`))).data;
  return { ...brand, apply, path, feedId: json.feed_id as string, requeue, linesOf };
}

const mixed: readonly SentLine[] = [
  { sku: 'LATE', location_code: 'L', quantity: 5, reserved: 2, updated_at: day(8) },
  { sku: 'A', location_code: 'L', quantity: 1, updated_at: day(8) },
  { sku: 'LATER', location_code: 'L', quantity: 6 },
  { sku: 'A', location_code: 'NOWHERE', quantity: 7, updated_at: day(9) },
];

// [internal-102] [D155]
describe('sending lines of a feed again', () => {
  // [internal-188]
  it('links both feeds, in lists too, but not what a client names as a re-queue', async () => {
    const { brandId, client, path, feedId, requeue, apply } = await brandWithFeed(mixed);
    const first = (await requeue('unknown_sku')).json.feed_id;
    await apply();
    const second = (await requeue('unknown_location')).json.feed_id;
    await ok(
      client.post(
        '/catalog/stock/feeds',
        { source: 'x', mode: 'snapshot', lines: [mixed[0]] },
        {
          'idempotency-key': `requeue:${feedId}:77`,
        },
      ),
      202,
    );
    const [feed, again] = [
      await ok(admin.get(path)),
      await ok(admin.get(`/brands/${brandId}/feeds/${first}`)),
    ];
    assert.deepEqual([feed.requeued_as, feed.requeue_of], [[first, second], null]);
    assert.deepEqual([again.requeued_as, again.requeue_of], [[], feedId]);
    const { data } = await ok(admin.get(`/brands/${brandId}/feeds`));
    assert.deepEqual(
      data.map((one: { requeue_of: string | null }) => one.requeue_of),
      [null, feedId, feedId, null],
    );
    assert.deepEqual((await ok(admin.get(`${path}/lines`))).feed, feed);
  });

  // [internal-185]
  it('happens once for each Idempotency-Key, also after the new feed has finished', async () => {
    const { brandId, path, apply } = await brandWithFeed(mixed);
    const send = () =>
      admin.post(`${path}/requeue`, { results: ['unknown_sku'] }, { 'idempotency-key': 'again' });
    const many = await Promise.all([send(), send(), send()]);
    const first = many.find(({ status }) => status === 202);
    for (const { status, json } of many)
      assert.equal(
        status === 202 ? json.feed_id : json.code,
        status === 202 ? first?.json.feed_id : 'idempotency_conflict',
      );
    await apply();
    const again = await send();
    assert.deepEqual([again.status, again.text], [202, first?.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    const [row] = await sql<{ n: number }>('select count(*) as n from stock_feeds where brand_id = $1', [
      brandId,
    ]);
    assert.equal(Number(row?.n), 2);
  });

  it('creates a feed of them that keeps their times, source and places', async () => {
    const { brandId, requeue, linesOf, feedId, apply } = await brandWithFeed(mixed);
    await addProducts(apps, brandId, ['LATE', 'LATER']);
    const answer = await requeue('unknown_sku');
    assert.equal(answer.status, 202);
    const { json } = answer;
    assert.deepEqual(
      [json.batch_id, json.source, json.status, json.totals],
      [`requeue:${feedId}:1`, 'test', 'queued', { received: 2 }],
    );
    await apply();
    const original = await linesOf(feedId);
    const again = await linesOf(json.feed_id);
    assert.deepEqual(
      again.map(({ sku, quantity, reserved, updated_at, result }: Record<string, unknown>) => [
        ...[sku, quantity, reserved, updated_at, result],
      ]),
      [
        ['LATE', 5, 2, day(8), 'applied'],
        ['LATER', 6, null, original[2].updated_at, 'applied'],
      ],
    );
    const levels = await levelsOf(apps, brandId);
    assert.deepEqual(levels.get('LATER@L')?.source_updated_at.toISOString(), original[2].updated_at);
    assert.equal(original[0].result, 'unknown_sku', 'the original feed does not change');
    await assertFeedsTrue(apps);
  });

  // [catalog-123]
  it('refuses lines dated far ahead, which an earlier version has stored, and sends the others', async () => {
    const { brandId, requeue, feedId, apply } = await brandWithFeed(mixed);
    await sql(
      `update stock_feed_packs set updated_ats[4] = '9999-12-31' where brand_id = $1 and feed_id = (
         select id from stock_feeds where brand_id = $1 and tu_id = $2
       )`,
      [brandId, feedId],
    );
    const refused = await requeue('unknown_sku', 'unknown_location');
    assertRefused(refused, 'validation_failed', ['results']);
    assert.match(refused.json.errors.results[0], /as line 3 is: 9999-12-31T00:00:00\.000Z/);
    assert.equal((await requeue('unknown_sku')).status, 202);
    await apply();
  });

  it('does not overwrite what was written since, nor take a line again that has been taken', async () => {
    const { brandId, client, requeue, linesOf, apply } = await brandWithFeed(mixed);
    await addProducts(apps, brandId, ['LATE', 'LATER']);
    await sendFeed(client, [{ sku: 'LATE', location_code: 'L', quantity: 50, updated_at: day(9) }]);
    const first = await ok(requeue('unknown_sku', 'applied'), 202);
    await apply();
    const resultsOf = async (id: string) =>
      (await linesOf(id)).map(({ sku, result }: Record<string, unknown>) => [sku, result]);
    const expected = [
      ['LATE', 'stale'],
      ['A', 'unchanged'],
    ];
    assert.deepEqual(await resultsOf(first.feed_id), [...expected, ['LATER', 'applied']]);
    const levels = await levelsOf(apps, brandId);
    const second = await ok(requeue('unknown_sku', 'applied'), 202);
    assert.match(second.batch_id, /:2$/);
    await apply();
    assert.deepEqual(await resultsOf(second.feed_id), [...expected, ['LATER', 'unchanged']]);
    assert.deepEqual(await levelsOf(apps, brandId), levels);
  });

  it('creates one feed for requests at the same time and for retries, and others for other lines', async () => {
    const { requeue, brandId } = await brandWithFeed(mixed);
    const answers = await Promise.all(Array.from({ length: 6 }, () => requeue('unknown_sku')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 202]);
    assert.equal(new Set(answers.map(({ json }) => json.feed_id)).size, 1);
    assert.equal((await requeue('unknown_sku')).status, 200);
    const different = await Promise.all([requeue('unknown_location'), requeue('unknown_sku', 'applied')]);
    assert.deepEqual(different.map(({ status, json }) => [status, json.batch_id.at(-1)]).sort(), [
      [202, '2'],
      [202, '3'],
    ]);
    const { data } = await ok(admin.get(`/audit?brand_id=${brandId}&action=stock_feed.requeue`));
    assert.deepEqual(
      data.map(({ details }: { details: { lines: number } }) => details.lines).sort(),
      [1, 2, 3],
    );
    assert.deepEqual(
      data.find(({ details }: { details: { lines: number } }) => details.lines === 1).details.results,
      ['unknown_location'],
    );
  });

  it('leaves out batch ids that clients have taken', async () => {
    const { requeue, client, feedId, apply } = await brandWithFeed(mixed);
    for (const batch of [`requeue:${feedId}:1`, `requeue:${feedId}:3`, `requeue:${feedId}:99999999999`])
      await ok(sendFeed(client, [{ sku: 'A', location_code: 'L', quantity: 1 }], batch), 202);
    const batches: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      batches.push((await ok(requeue('unknown_sku'), 202)).batch_id.split(':').at(-1));
      await apply();
    }
    assert.deepEqual(batches, ['2', '4', '5']);
  });

  it('decides again which lines supersede others, and keeps the order of a large feed', async () => {
    const count = 10_500;
    const { requeue, linesOf, brandId } = await brandWithFeed(
      // Descending, so that the lines are stored in another order; the last two are for one SKU.
      Array.from({ length: count }, (_, index) => ({
        sku: `S${String(count - Math.min(index, count - 2)).padStart(6, '0')}`,
        location_code: 'L',
        quantity: index,
        updated_at: day(8),
      })),
    );
    const { feed_id, totals } = await ok(requeue('unknown_sku', 'superseded'), 202);
    assert.deepEqual(totals, { received: count, superseded: 1 });
    const page = (await ok(admin.get(`/brands/${brandId}/feeds/${feed_id}/lines?per_page=2&page=5250`))).data;
    assert.deepEqual(
      page.map(({ line, quantity, result }: Record<string, unknown>) => [line, quantity, result]),
      [
        [count - 2, count - 2, 'superseded'],
        [count - 1, count - 1, null],
      ],
    );
    assert.equal((await linesOf(feed_id))[0].quantity, 0);
  });

  it('sends the undecided lines of a failed feed', async () => {
    const { path, feedId, brandId, linesOf, apply } = await brandWithFeed(mixed);
    await sql('delete from open_feed_lines where brand_id = $1', [brandId]);
    await sql(
      `update stock_feed_packs set results = left(results, 2) || '..' where feed_id = (select id from stock_feeds where tu_id = $1)`,
      [feedId],
    );
    await sql(
      `update stock_feeds set status = 'failed', totals = '{"unknown_sku": 1, "applied": 1}' where tu_id = $1`,
      [feedId],
    );
    const left = { results: ['undecided', 'unknown_sku'], left: true };
    const { data, meta } = await ok(admin.get(`${path}/lines?left=true&result=undecided,unknown_sku`));
    assert.deepEqual([data.length, meta.total], [2, 2], 'the line that has failed is no longer there');
    const { feed_id } = await ok(admin.post(`${path}/requeue`, left), 202);
    await apply();
    assert.deepEqual(
      (await linesOf(feed_id)).map(({ sku, result }: Record<string, unknown>) => [sku, result]),
      [
        ['LATER', 'unknown_sku'],
        ['A', 'unknown_location'],
      ],
    );
  });

  it('is refused without such lines, for an unfinished feed and for what does not exist', async () => {
    const { requeue, client, path, brandId } = await brandWithFeed(mixed);
    const other = await apps.newBrand();
    const before = await sql('select count(*) from stock_feeds');
    assertRefused(await requeue('stale', 'undecided'), 'validation_failed', ['results']);
    assertRefused(await requeue(), 'validation_failed', ['results']);
    assertRefused(await requeue('nope'), 'validation_failed', ['results.0']);
    assertRefused(await admin.post(`${path}/requeue`, {}), 'validation_failed', ['results']);
    const foreign = path.replace(`/${brandId}/`, `/${other.brandId}/`);
    assertRefused(await admin.post(`${foreign}/requeue`, { results: ['unknown_sku'] }), 'not_found');
    assert.deepEqual(await sql('select count(*) from stock_feeds'), before);
    const { feed_id } = (await sendFeed(client, [{ sku: 'NONE', location_code: 'L', quantity: 1 }])).json;
    const unfinished = await admin.post(`/brands/${brandId}/feeds/${feed_id}/requeue`, {
      results: ['applied'],
    });
    assertRefused(unfinished, 'conflict');
    const later = new Date(apps.clock.now() + 86_400_000);
    while ((await apps.database.transaction((tx) => dropFeedLines(tx, later))) > 0);
    assertRefused(await requeue('unknown_sku'), 'validation_failed', ['results']);
  });
});
