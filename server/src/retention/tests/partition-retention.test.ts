import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { dropAuditEntries } from '../../audit/drop-entries-store.ts';
import { applyBrandFeeds } from '../../catalog/feeds/apply-feeds.ts';
import { addProducts, feedsPath, sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { examine, told } from '../../doctor/tests/examine.ts';
import { newTuId } from '../../lib/ids.ts';
import { endPartition, partitionsOf, passFirstDay } from '../../postgres/partitions/tests/end-partition.ts';
import { dayMs, retainOne } from './retain.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { sql, clock } = apps;
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
await addProducts(apps, brandId, ['A', 'B']);
await passFirstDay(apps);
const other = new pg.Client(apps.address);
await other.connect();
apps.beforeClose(() => other.end());

const old = () => new Date(clock.now() - 500 * dayMs);
const observer = { feedFinished: () => {}, chunkFailed: () => {} };
let batch = 0;

/** Sends a feed with a superseded and an unknown line, and returns its id in paths. */
async function newFeed(): Promise<string> {
  const lines = [
    { sku: 'A', location_code: 'L', quantity: batch },
    { sku: 'A', location_code: 'L', quantity: batch + 1 },
    { sku: 'none', location_code: 'L', quantity: 1 },
    { sku: 'B', location_code: 'L', quantity: batch },
  ];
  batch += 1;
  const { json } = await sendFeed(client, lines, `batch-${batch}`);
  return json.feed_id;
}

async function newFinishedFeed(finishedAt?: Date): Promise<string> {
  const id = await newFeed();
  await applyBrandFeeds(apps.context, observer, brandId, 60_000);
  if (finishedAt !== undefined)
    await sql('update stock_feeds set finished_at = $2 where tu_id = $1', [id, finishedAt]);
  return id;
}

const partitions = (table: 'stock_feed_lines' | 'audit_entries') =>
  partitionsOf(apps, table).then((found) => found.map(({ name }) => name));

async function countOf(table: string): Promise<number> {
  const [row] = await sql<{ count: number }>(`select count(*) from ${table}`);
  return Number(row?.count);
}

/** `addProducts` does not count the products that it creates. */
const doctorFindsNothing = async () => {
  const found = await examine(apps, false);
  assert.deepEqual(found.filter(({ check }) => check !== 'product_counters').map(told), []);
};

beforeEach(async () => {
  await sql('update stock_feeds set finished_at = $1 where finished_at is not null', [old()]);
  await retainOne(apps, 'feed-lines', 400);
});

// [D198], [D199], [catalog-118], [internal-55]
describe('the retention of partitioned tables', () => {
  it('drops a partition of feed lines whose feeds are all due, and shows them as feeds with dropped lines', async () => {
    const first = await newFinishedFeed(old());
    const second = await newFinishedFeed(old());
    await endPartition(apps, 'stock_feed_lines');
    const kept = await newFinishedFeed();
    const report = await ok(client.get(`${feedsPath}/${kept}`));
    const [dropped, next] = await partitions('stock_feed_lines');
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 8);
    assert.deepEqual(await partitions('stock_feed_lines'), [next]);
    assert.deepEqual(await sql('select 1 from pg_class where relname = $1', [dropped]), []);
    for (const id of [first, second]) {
      const { lines, totals } = await ok(client.get(`${feedsPath}/${id}`));
      assert.deepEqual([lines.data, totals.received], [[], 4]);
      assert.ok(Math.abs(Date.parse(lines.dropped_at) - Date.now()) < 60_000, lines.dropped_at);
    }
    assert.deepEqual(await ok(client.get(`${feedsPath}/${kept}`)), report);
    assert.deepEqual([await countOf('stock_feed_lines'), await countOf('refused_feed_lines')], [4, 1]);
    await doctorFindsNothing();
  });

  it('drops only the due feeds of a partition that has others, and the partition once all of them are', async () => {
    const due = await newFinishedFeed(old());
    const kept = await newFinishedFeed();
    const report = await ok(client.get(`${feedsPath}/${kept}`));
    await endPartition(apps, 'stock_feed_lines');
    const before = await partitions('stock_feed_lines');
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 4);
    assert.deepEqual(await partitions('stock_feed_lines'), before);
    assert.deepEqual((await ok(client.get(`${feedsPath}/${due}`))).lines.data, []);
    assert.deepEqual(await ok(client.get(`${feedsPath}/${kept}`)), report);
    await sql('update stock_feeds set finished_at = $2 where tu_id = $1', [kept, old()]);
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 4);
    assert.deepEqual(await partitions('stock_feed_lines'), before.slice(1));
    await doctorFindsNothing();
  });

  it('keeps a partition with a feed that is not finished, and applies that feed, with lines at equal places in two partitions', async () => {
    const waiting = await newFeed();
    await endPartition(apps, 'stock_feed_lines');
    const later = await newFeed();
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 0);
    const places = await sql<{ n: number }>(
      'select count(distinct tableoid) as n from stock_feed_lines group by ctid having count(distinct tableoid) > 1',
    );
    assert.ok(places.length > 0, 'no two lines are at the same place of their partitions');
    await applyBrandFeeds(apps.context, observer, brandId, 60_000);
    for (const id of [waiting, later]) {
      const { status, lines } = await ok(client.get(`${feedsPath}/${id}`));
      assert.equal(status, 'completed');
      assert.deepEqual([lines.data[0].result, lines.data[2].result], ['superseded', 'unknown_sku']);
    }
    await doctorFindsNothing();
  });

  it('drops line by line while a backup runs, and leaves the partition for the next run', async () => {
    await newFinishedFeed(old());
    await endPartition(apps, 'stock_feed_lines');
    const before = await partitions('stock_feed_lines');
    await other.query('select pg_advisory_lock_shared(4217734, 0)');
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 4);
    assert.deepEqual(await partitions('stock_feed_lines'), before);
    await other.query('select pg_advisory_unlock_shared(4217734, 0)');
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 0);
    assert.deepEqual(await partitions('stock_feed_lines'), before.slice(1));
  });

  it('keeps the lines of a feed whose intake commits while the partition is about to be dropped', async () => {
    await newFinishedFeed(old());
    const late = newTuId();
    const [{ id }] = (await sql<{ id: number }>(`select nextval('stock_feeds_id_seq') as id`)) as [
      { id: number },
    ];
    await endPartition(apps, 'stock_feed_lines');
    await other.query('begin');
    await other.query(
      `insert into stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, received_lines, received_at)
       overriding system value values ($1, $2, $3, 'late', '', 'erp', 1, now())`,
      [brandId, id, late],
    );
    await other.query(
      `insert into stock_feed_lines (brand_id, feed_id, line, sku, location_code, quantity, updated_at)
       values ($1, $2, 0, 'A', 'L', 1, now())`,
      [brandId, id],
    );
    const running = retainOne(apps, 'feed-lines', 400);
    await waitFor('the retention to wait for the intake', async () => {
      const rows = await sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await other.query('commit');
    assert.equal((await running).droppedRows, 4);
    assert.equal(await countOf('stock_feed_lines'), 1);
    await applyBrandFeeds(apps.context, observer, brandId, 60_000);
    assert.equal((await ok(client.get(`${feedsPath}/${late}`))).status, 'completed');
    await doctorFindsNothing();
  });

  it('drops a partition of the audit that is due, and single entries of one that is partly due', async () => {
    const add = (count: number, at: Date) =>
      sql(
        `insert into audit_entries (at, action, resource_type, resource_id) select $2, 'test', 'test', n::text
         from generate_series(1, $1) n`,
        [count, at],
      );
    await sql('update audit_entries set at = $1', [old()]);
    await add(50, old());
    const first = await countOf('audit_entries');
    await endPartition(apps, 'audit_entries');
    await add(20, old());
    await add(10, new Date(clock.now()));
    // By id, not by place: each place of the first partition is one of the second, too.
    assert.equal(
      await apps.database.transaction((tx) => dropAuditEntries(tx, new Date(clock.now() - 400 * dayMs), 5)),
      5,
    );
    assert.equal(await countOf('audit_entries'), first + 25);
    const [, next] = await partitions('audit_entries');
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, first + 15);
    assert.deepEqual(await partitions('audit_entries'), [next]);
    assert.equal(await countOf('audit_entries'), 10);
    await add(1, new Date(clock.now()));
    assert.equal((await ok(apps.admin.get('/audit'))).meta.total, 11);
  });
});
