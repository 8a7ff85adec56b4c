import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { linesPerSecond } from '../feed.ts';
import { chunksOf, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { admin, sql } = apps;

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, location_code: 'L', quantity: 1 }));

const apply = (brandId: number, sliceMs: number) =>
  applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs, size: chunksOf(1_000) });

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
type Feed = any;
const idsOf = ({ data }: { data: Feed[] }) => data.map(({ feed_id }) => feed_id);

// [internal-204]
describe('a feed that waits', () => {
  const shown = (brandId: number, feed: Feed): Promise<Feed> =>
    ok(admin.get(`/brands/${brandId}/feeds/${feed.feed_id}`));
  const waitingOf = async (brandId: number, feed: Feed) => (await shown(brandId, feed)).waiting;

  it('says for what: its turn, the next attempt, or the session that holds a lock', async () => {
    const { brandId, client } = await apps.newBrand();
    const [first, second] = [
      (await sendFeed(client, lines(2))).json,
      (await sendFeed(client, lines(2))).json,
    ];
    for (const feed of [first, second]) {
      const waiting = await waitingOf(brandId, feed);
      assert.deepEqual([waiting.for, waiting.attempts, waiting.holder], ['turn', 0, null]);
      assert.equal(waiting.since, (await shown(brandId, feed)).received_at);
    }
    await sql(
      'update stock_feeds set failed_attempts = 3, worked_at = now() where brand_id = $1 and tu_id = $2',
      [brandId, first.feed_id],
    );
    const paused = await waitingOf(brandId, first);
    assert.deepEqual([paused.for, paused.attempts], ['pause', 3]);
    await sql('update stock_feeds set failed_attempts = 0 where brand_id = $1', [brandId]);

    const holder = new pg.Client(apps.address);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from brand_stocks where brand_id = $1 for no key update', [brandId]);
      const { rows } = await holder.query('select pg_backend_pid() as pid');
      const applying = apply(brandId, 60_000);
      const blocked = await waitFor('the wait for the lock', async () => {
        const waiting = await waitingOf(brandId, first);
        return waiting.for === 'lock' ? waiting : null;
      });
      assert.equal(blocked.holder.pid, rows[0].pid);
      assert.ok(Date.parse(blocked.holder.since) <= Date.parse(blocked.since));
      assert.equal((await waitingOf(brandId, second)).for, 'turn');
      await holder.query('commit');
      assert.equal(await applying, 'finished');
    } finally {
      await holder.end();
    }
    assert.equal(await waitingOf(brandId, first), null);
  });
});

// [internal-45] [internal-105]
describe('the feeds of operators', () => {
  it('show their progress, their place in the queue of the brand and who sent them', async () => {
    const { brandId, client, keyId } = await apps.newBrand();
    const sent: Feed[] = [];
    for (const count of [2_500, 2, 3]) sent.push((await sendFeed(client, lines(count))).json);
    // One chunk of 1,000 lines.
    await apply(brandId, 0);
    const shown = async (index: number) => ok(admin.get(`/brands/${brandId}/feeds/${sent[index]?.feed_id}`));
    const first = await shown(0);
    assert.deepEqual(
      [first.status, first.next_line, first.received_lines, first.queue_position, first.brand_id],
      ['processing', 1_000, 2_500, 1, brandId],
    );
    assert.ok(typeof first.lines_per_second === 'number' && first.lines_per_second > 0);
    assert.equal(first.submitted_by, keyId);
    assert.deepEqual(
      [(await shown(1)).queue_position, (await shown(2)).queue_position, (await shown(2)).lines_per_second],
      [2, 3, null],
    );
    while ((await apply(brandId, 60_000)) !== 'finished');
    const last = await shown(2);
    assert.deepEqual([last.status, last.next_line, last.queue_position], ['completed', 3, null]);
    const { data } = await ok(admin.get(`/brands/${brandId}/feeds?status=completed`));
    assert.deepEqual(data[0], last);
    const requests = await ok(admin.get(`/requests/${last.request_id}`));
    assert.equal(requests.entries[0].feed_id, last.feed_id);
    const again = await ok(
      admin.post(`/brands/${brandId}/feeds/${last.feed_id}/requeue`, { results: ['unknown_sku'] }),
      202,
    );
    assert.deepEqual([again.submitted_by, again.queue_position], ['admin-token', 1]);
  });

  it('are filtered by status, source, id and the time of receipt, in one brand and in all', async () => {
    const [one, two] = [await apps.newBrand(), await apps.newBrand()];
    const ids: string[] = [];
    for (const { client } of [one, two, one]) ids.push((await sendFeed(client, lines(1))).json.feed_id);
    const [a, b, c] = ids;
    const change = (id: string | undefined, assignment: string) =>
      sql(`update stock_feeds set ${assignment} where tu_id = $1`, [id]);
    await change(a, `received_at = '2026-03-01T00:00:00.000Z', source = 'ERP'`);
    await change(b, `received_at = '2026-03-01T23:59:59.999Z', status = 'failed', finished_at = now()`);
    await change(c, `received_at = '2026-03-02T00:00:00.000Z', source = 'ERP'`);
    const all = async (query: string) => {
      const list = await ok(admin.get(`/feeds?from=2026-02-01&to=2026-04-01&${query}`));
      assert.equal(list.meta.total, list.data.length);
      return idsOf(list);
    };
    const own = async (query: string) => idsOf(await ok(admin.get(`/brands/${one.brandId}/feeds?${query}`)));
    assert.deepEqual(
      [await all(''), await own('')],
      [
        [c, b, a],
        [c, a],
      ],
    );
    assert.deepEqual(
      [await all('status=queued'), await own('status=queued')],
      [
        [c, a],
        [c, a],
      ],
    );
    assert.deepEqual([await all('status=failed'), await own('status=failed')], [[b], []]);
    assert.deepEqual([await all('source=ERP'), await all('source=erp')], [[c, a], []]);
    assert.deepEqual(
      [await all(`feed_id=${b}`), await own(`feed_id=${b}`), await own(`feed_id=${c}`)],
      [[b], [], [c]],
    );
    assert.deepEqual(await all(`feed_id=${c?.toLowerCase()}x`), []);
    const of = async (range: string) => idsOf(await ok(admin.get(`/feeds?${range}`)));
    assert.deepEqual(await of('from=2026-03-01&to=2026-03-01'), [b, a]);
    assert.deepEqual(await of('from=2026-03-01T00:00:00.001Z&to=2026-03-02T00:00:00Z'), [c, b]);
    const second = await ok(admin.get('/feeds?from=2026-02-01&to=2026-04-01&per_page=2&page=2'));
    assert.deepEqual([idsOf(second), second.meta.total], [[a], 3]);
  });

  it('are refused or not found where the request is wrong', async () => {
    const { brandId } = await apps.newBrand();
    for (const path of ['/feeds', `/brands/${brandId}/feeds`]) {
      assertRefused(await admin.get(`${path}?status=done`), 'validation_failed', ['status']);
      assertRefused(await admin.get(`${path}?from=yesterday`), 'validation_failed', ['from']);
      assertRefused(await admin.get(`${path}?from=2026-03-02&to=2026-03-01`), 'validation_failed', ['from']);
    }
    assertRefused(await admin.get('/brands/999999/feeds'), 'not_found');
    assertRefused(await admin.get(`/brands/${brandId}/feeds/none`), 'not_found');
  });
});

describe('the rate of a feed', () => {
  const at = (seconds: number) => new Date(seconds * 1_000);
  const times = {
    nextLine: 1_000,
    receivedAt: at(10),
    previousFinishedAt: at(5),
    workedAt: at(14),
    finishedAt: null,
  };

  it('begins with its receipt, or with the end of the feed before it', () => {
    assert.equal(linesPerSecond(times), 250);
    assert.equal(linesPerSecond({ ...times, previousFinishedAt: at(12) }), 500);
    assert.equal(linesPerSecond({ ...times, finishedAt: at(20) }), 100);
  });

  it('is unknown before the first chunk, and where the clock was set back', () => {
    assert.equal(linesPerSecond({ ...times, workedAt: null }), null);
    assert.equal(linesPerSecond({ ...times, nextLine: 0 }), null);
    assert.equal(linesPerSecond({ ...times, workedAt: at(9) }), null);
  });
});
