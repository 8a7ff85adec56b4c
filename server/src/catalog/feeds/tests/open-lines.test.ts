import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { adjusted, newSimple } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { dropFeedLines } from '../feed-store.ts';
import { addProducts, chunksOf, type SentLine, sendFeed } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { admin, sql } = apps;
const at = (hour: number, micros = '') => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000${micros}Z`;
const lineOf = (sku: string, updated_at = at(8), location_code = 'L'): SentLine => {
  return { sku, location_code, quantity: 1, updated_at };
};

/** Creates a brand with the location `L` and the product `A`. `send` returns the id of the finished feed. */
async function newShop(chunkLines = 2) {
  const { brandId, client } = await apps.newBrand();
  await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
  await addProducts(apps, brandId, ['A']);
  const failures: unknown[] = [];
  const observer = {
    feedFinished: () => {},
    chunkFailed: (_: string, error: unknown) => failures.push(error),
  };
  const apply = async () => {
    const limits = { sliceMs: 60_000, size: chunksOf(chunkLines) };
    while ((await applyBrandFeeds(apps.context, observer, brandId, limits)) !== 'finished');
  };
  const send = async (...lines: SentLine[]): Promise<string> => {
    const { feed_id } = await ok(sendFeed(client, lines), 202);
    await apply();
    return feed_id;
  };
  const requeue = async (feedId: string, ...results: string[]): Promise<string> => {
    const { feed_id } = await ok(admin.post(`/brands/${brandId}/feeds/${feedId}/requeue`, { results }), 202);
    await apply();
    return feed_id;
  };
  const open = async (): Promise<number> => {
    const { data } = await ok(admin.get(`/brands?q=${brandId}&per_page=200`));
    const concerns: { kind: string; brands: { id: number; count: number }[] }[] = (
      await ok(admin.get('/overview'))
    ).concerns;
    const shown = data.find(({ id }: { id: number }) => id === brandId).failed_lines_24h;
    const counted = concerns.find(({ kind }) => kind === 'lines_failed');
    assert.equal(counted?.brands.find(({ id }) => id === brandId)?.count ?? 0, shown);
    const feeds: { failed_lines_left: number }[] = (
      await ok(admin.get(`/brands/${brandId}/feeds?per_page=200`))
    ).data;
    assert.equal(
      feeds.reduce((sum, feed) => sum + feed.failed_lines_left, 0),
      shown,
    );
    return shown;
  };
  return { brandId, client, send, apply, requeue, open, failures };
}

// [internal-205] [D120]
describe('a refused line', () => {
  it('counts until a line that is as new has set its level, or is older than it', async () => {
    const { brandId, send, open } = await newShop();
    await send(lineOf('A'), lineOf('NEW', at(8, '500')), lineOf('LATER'), lineOf('A', at(8), 'NOWHERE'));
    assert.equal(await open(), 3);
    await addProducts(apps, brandId, ['NEW', 'LATER']);
    await send(lineOf('NEW', at(8, '400')), lineOf('A'));
    assert.equal(await open(), 3, 'a line that is older by 100 microseconds does not replace it');
    await send(lineOf('NEW', at(8, '500')));
    assert.equal(await open(), 2);
    await send(lineOf('LATER', at(9)));
    assert.equal(await open(), 1);
    await send(lineOf('A', at(7), 'NOWHERE'));
    assert.equal(await open(), 1, 'refused again');
  });

  it('is closed by a line that finds a newer level, and left open by an adjustment alone', async () => {
    const { client, send, open } = await newShop();
    await send(lineOf('B'));
    const { tu_id } = await newSimple(client, 'B');
    await adjusted(client, tu_id, { location: 'L', quantity: 5 });
    assert.equal(await open(), 1);
    await send(lineOf('B', at(7)));
    assert.equal(await open(), 0, 'stale');
  });

  it('counts once for each SKU and location, with the last feed that it failed in', async () => {
    const { brandId, send, requeue, open } = await newShop();
    // Chunks of two lines; of one place the older line is superseded.
    const first = await send(
      lineOf('X', at(8)),
      lineOf('A'),
      lineOf('Y'),
      lineOf('X', at(9)),
      lineOf('A', at(8), 'M'),
    );
    assert.equal(await open(), 3);
    const second = await requeue(first, 'unknown_sku', 'superseded');
    assert.equal(await open(), 3);
    const rows = await sql(
      `select o.sku, f.tu_id from open_feed_lines o join stock_feeds f on f.id = o.feed_id where o.brand_id = $1 order by 1`,
      [brandId],
    );
    assert.deepEqual(
      rows.map(({ sku, tu_id }) => [sku, tu_id]),
      [['A', first], ...['X', 'Y'].map((sku) => [sku, second])],
    );
    await addProducts(apps, brandId, ['X', 'Y']);
    await requeue(second, 'unknown_sku');
    assert.equal(await open(), 1);
    const later = new Date(apps.clock.now() + 86_400_000);
    while ((await apps.database.transaction((tx) => dropFeedLines(tx, later))) > 0);
    assert.deepEqual(
      [await open(), await sql('select from open_feed_lines where brand_id = $1', [brandId])],
      [0, []],
    );
  });

  // [internal-206]
  it('is closed by a correction whose feed was sent as that of another line', async () => {
    const { brandId, send, open } = await newShop(1_000);
    const feed = await send(lineOf('WRONG-1'), lineOf('WRONG-2'));
    assert.equal(await open(), 2);
    const path = `/brands/${brandId}/feeds/${feed}/corrections`;
    const answers = await Promise.all(
      [0, 1].map((line) => admin.post(path, { lines: [lineOf('RIGHT')], corrects: [line] })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 202]);
    assert.equal(answers[0]?.json.feed_id, answers[1]?.json.feed_id);
    assert.equal(await open(), 0);
    const { data } = await ok(admin.get(`/audit?brand_id=${brandId}&action=stock_feed.correct`));
    assert.equal(data.length, 2);
  });

  // [internal-206]
  it('is closed by corrections that name it, which are sent once and linked with the feed', async () => {
    const { brandId, send, apply, open } = await newShop(1_000);
    const count = 10_001;
    // Descending, so that the lines are stored in another order.
    const sent = Array.from({ length: count }, (_, index) => lineOf(`S${count + 10_000 - index}`));
    const feed = await send(...sent);
    assert.equal(await open(), count);
    const path = `/brands/${brandId}/feeds/${feed}`;
    const correct = (body: object, key = 'once') =>
      admin.post(`${path}/corrections`, body, { 'idempotency-key': key });
    const corrected = { lines: [{ ...lineOf('A'), quantity: 7 }, lineOf('STILL')], corrects: [0, 7] };
    const answers = await Promise.all([correct(corrected), correct(corrected, 'twice')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 202]);
    const { feed_id, requeue_of, source } = answers[0].json;
    assert.deepEqual([answers[1].json.feed_id, requeue_of, source], [feed_id, feed, 'test']);
    assert.equal(await open(), count - 2);
    await apply();
    assert.equal((await correct(corrected)).json.feed_id, feed_id, 'replayed');
    assert.equal(await open(), count - 1, 'the second line was refused in the new feed');
    const skus = await sql(
      'select sku from open_feed_lines where brand_id = $1 and sku in ($2, $3, $4) order by sku',
      [brandId, sent[0]?.sku, sent[7]?.sku, sent[1]?.sku],
    );
    assert.deepEqual(
      skus.map(({ sku }) => sku),
      [sent[1]?.sku],
    );
    assert.deepEqual((await ok(admin.get(path))).requeued_as, [feed_id]);
    const { data } = await ok(admin.get(`/audit?brand_id=${brandId}&action=stock_feed.correct`));
    assert.deepEqual(
      data.map(({ resource_id, details }: { resource_id: string; details: object }) => [
        resource_id,
        details,
      ]),
      [[feed, { corrected: 2, feed_id, source_batch_id: `requeue:${feed}:1`, lines: 2 }]],
    );
    const bad = await correct(
      { lines: [{ ...lineOf('A'), quantity: -1 }, lineOf('B', '2999-01-01T00:00:00Z')] },
      'bad',
    );
    assertRefused(bad, 'validation_failed', ['lines.0.quantity']);
    assertRefused(
      await correct({ lines: [lineOf('B', '2999-01-01T00:00:00Z')] }, 'b2'),
      'validation_failed',
      ['lines.0.updated_at'],
    );
    assertRefused(await correct({ lines: [lineOf('A')], corrects: [count] }, 'b3'), 'validation_failed', [
      'corrects',
    ]);
    const queued = await ok(correct({ lines: [lineOf('A', at(9))] }, 'queued'), 202);
    const unfinished = await admin.post(`/brands/${brandId}/feeds/${queued.feed_id}/corrections`, {
      lines: [lineOf('A')],
    });
    assertRefused(unfinished, 'conflict');
    const other = await apps.newBrand();
    const foreign = path.replace(`/${brandId}/`, `/${other.brandId}/`);
    assertRefused(await admin.post(`${foreign}/corrections`, { lines: [lineOf('A')] }), 'not_found');
  });

  // [internal-209]
  it('is left until it is dealt with: only what is left is listed, downloaded and re-queued', async () => {
    const { brandId, client, send, apply, open } = await newShop(1_000);
    // Descending, so that the lines are stored in another order.
    const names = Array.from({ length: 23 }, (_, index) => `S${String(99 - index)}`);
    const feed = await send(...names.map((sku) => lineOf(sku)), lineOf('A', at(8), 'NOWHERE'), lineOf('A'));
    const path = `/brands/${brandId}/feeds/${feed}`;
    const left = async (query = '') => {
      const { data, meta, feed: one } = await ok(admin.get(`${path}/lines?left=true&per_page=200${query}`));
      return {
        lines: data.map(({ sku }: { sku: string }) => sku),
        total: meta.total,
        of: one.failed_lines_left,
      };
    };
    assert.deepEqual(await left(), { lines: [...names, 'A'], total: 24, of: 24 });
    assert.deepEqual(await left('&result=unknown_sku&page=2'), { lines: [], total: 23, of: 24 });
    const corrections = {
      lines: names.slice(0, 9).map(() => lineOf('A')),
      corrects: names.slice(0, 9).map((_, index) => index),
    };
    await ok(admin.post(`${path}/corrections`, corrections), 202);
    await apply();
    const rest = names.slice(9);
    assert.deepEqual(await left(), { lines: [...rest, 'A'], total: 15, of: 15 });
    assert.equal(await open(), 15);
    const csv = await admin.get(`${path}/lines.csv?left=true&result=unknown_sku`);
    const skusOf = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((row) => row.split(',')[1]);
    assert.deepEqual(skusOf(csv.text), ['sku', ...rest]);
    const jsonl = await admin.get(`${path}/lines.jsonl?left=true`);
    assert.equal(jsonl.text.trim().split('\n').length, 15);

    const requeue = () => admin.post(`${path}/requeue`, { results: ['unknown_sku'], left: true });
    const again = await ok(requeue(), 202);
    assert.deepEqual(again.totals, { received: 14 });
    await apply();
    assert.deepEqual(await left(), { lines: ['A'], total: 1, of: 1 }, 'the others failed again elsewhere');
    assert.equal(await open(), 15);
    assertRefused(await requeue(), 'validation_failed', ['results']);
    const { data } = await ok(admin.get(`/audit?brand_id=${brandId}&action=stock_feed.requeue`));
    assert.equal(data[0].details.left, true);
    await ok(client.post('/catalog/stock/locations', { external_code: 'NOWHERE' }), 201);
    await ok(admin.post(`${path}/requeue`, { results: ['unknown_location'], left: true }), 202);
    await apply();
    assert.deepEqual([await left(), await open()], [{ lines: [], total: 0, of: 0 }, 14]);
  });

  it('changes with its chunk or not at all', async () => {
    const { brandId, send, open, failures } = await newShop();
    await send(lineOf('C'), lineOf('D'));
    await addProducts(apps, brandId, ['C', 'D']);
    await sql(`create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('failed_chunks') = 1 then raise 'once'; end if; return null; end $$`);
    await sql('create sequence failed_chunks');
    await sql(
      'create trigger once after delete on open_feed_lines for each statement execute function fail_once()',
    );
    await send(lineOf('C', at(9)), lineOf('E'), lineOf('D', at(9)));
    assert.deepEqual(
      [failures.length, await open()],
      [1, 1],
      'the attempt after it has closed both and opened one',
    );
  });

  it('costs feeds of other brands no statement', async () => {
    const { send, failures } = await newShop();
    await sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'touched'; end $$`,
    );
    await sql('create trigger touched before insert or delete on open_feed_lines execute function refuse()');
    await send(lineOf('A'), lineOf('A', at(7)));
    await sql('drop trigger touched on open_feed_lines');
    assert.deepEqual(failures, []);
  });
});
