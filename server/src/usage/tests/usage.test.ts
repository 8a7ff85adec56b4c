import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertFeedLines } from '../../../test/support/insert-feed-lines.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { addDays, dayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { Database, type Queryable } from '../../postgres/database.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import { retainOne } from '../../retention/tests/retain.ts';
import { measureUsage } from '../measure-usage.ts';

const apps = await createTestApps();
const { sql, database } = apps;
const signal = new AbortController().signal;
const dayMs = 86_400_000;
const growthDays = 10;

const measure = (
  keep: {
    lines?: number;
    audit?: number;
    usage?: number;
    refusals?: number;
    changes?: number;
    events?: number;
  } = {},
) =>
  measureUsage(
    { main: database, store: database },
    {
      keep: {
        'feed-lines': keep.lines ?? null,
        audit: keep.audit ?? null,
        'key-usage': keep.usage ?? null,
        refusals: keep.refusals ?? null,
        'stock-changes': keep.changes ?? null,
        events: keep.events ?? null,
      },
      now: apps.clock.now(),
      growthDays,
      cancelled: signal,
    },
  );

async function addFeed(brandId: number, lines: number, daysAgo: number): Promise<void> {
  const at = new Date(apps.clock.now() - daysAgo * dayMs);
  await sql(
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
         received_at, finished_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), '', 'erp', 'completed', $2, $2,
         jsonb_build_object('applied', $2::integer), $3, $3)
       returning id
     )
     ${insertFeedLines(`select $1::integer, feed.id, n, 'SKU-' || n, 'L', 1, now(), 'applied'
       from feed, generate_series(0, $2::integer - 1) n`)}`,
    [brandId, lines, at],
  );
}

const near = (actual: number | null | undefined, expected: number, tolerance: number) =>
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) <= expected * tolerance,
    `${actual} is not about ${expected}`,
  );

describe('the usage', () => {
  it('counts small tables exactly, and divides their size among the brands', async () => {
    const [a, b] = [await apps.newBrand(), await apps.newBrand()];
    await addFeed(a.brandId, 3_000, 1);
    await addFeed(b.brandId, 1_000, 20);
    const { tables } = await measure();
    const lines = tables.find(({ table }) => table === 'public.stock_feed_packs');
    const [size] = await sql<{ bytes: number }>(
      `select pg_total_relation_size('stock_feed_packs')::float8 as bytes`,
    );
    assert.deepEqual([lines?.bytes, lines?.sampled, lines?.rows], [size?.bytes, 1, 4]);
    assert.deepEqual(
      lines?.brands.map(({ brandId, rows }) => [brandId, rows]),
      [
        [a.brandId, 3],
        [b.brandId, 1],
      ],
    );
    near(
      lines?.brands.reduce((sum, { bytes }) => sum + bytes, 0),
      size?.bytes as number,
      0.001,
    );
    // Only the lines of the last ten days are growth.
    near(lines?.bytesPerDay, ((size?.bytes as number) * 0.75) / growthDays, 0.02);
    assert.deepEqual(
      lines?.brands.map(({ bytesPerDay }) => bytesPerDay === 0),
      [false, true],
    );
    const names = tables.map(({ table }) => table);
    for (const name of [
      'public.products',
      'pgboss.job',
      'analytics.learning_events',
      'public.retention_runs',
    ])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      tables.map(({ bytes }) => bytes),
      tables.map(({ bytes }) => bytes).sort((x, y) => y - x),
    );
  });

  it('says what retention would free, which is what it then drops', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const old = addDays(dayOf(apps.clock.now()), -800);
    await brand.send([{ day: old, user: 'a' }]);
    await brand.aggregate({ from: old, to: old });
    await sql(`insert into audit_entries (at, action, resource_type, resource_id)
      select now() - interval '90 days', 'test', 'test', n::text from generate_series(1, 500) n`);
    await sql(
      `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
       select $1, date_trunc('hour', now()) - n * interval '1 hour', 'tuk_a', 'getStatus', 1, 0, 0, 0
       from generate_series(1, 40 * 24) n`,
      [brand.brandId],
    );
    await sql(
      `insert into stock_changes (brand_id, version, changed_at, level_ids)
       select $1, n, now() - (20 - n) * interval '1 day' - interval '1 hour', '{1}' from generate_series(1, 12) n`,
      [brand.brandId],
    );
    await sql(
      `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
       select $1, n, now() - (10 - n) * interval '1 day' - interval '1 hour', 'r', 'tuk_a', 'GET', '/', 404, 'not_found', '{}', 1
       from generate_series(1, 9) n`,
      [brand.brandId],
    );
    const { policies } = await measure({
      lines: 15,
      audit: 30,
      usage: 30,
      refusals: 7,
      changes: 14,
      events: 400,
    });
    const hours = policies.find(({ policy }) => policy === 'key-usage')?.dueRows ?? 0;
    // The day of the limit stays whole.
    assert.ok(hours > 8 * 24 && hours <= 10 * 24, `${hours} hours are due`);
    assert.deepEqual(
      policies.map(({ policy, dueRows }) => [policy, dueRows]),
      [
        ['feed-lines', 1_000],
        ['audit', 500],
        ['key-usage', hours],
        ['refusals', 3],
        ['stock-changes', 6],
        ['events', 1],
      ],
    );
    assert.ok(policies.every(({ dueBytes }) => dueBytes !== null && dueBytes > 0));
    assert.equal((await retainOne(apps, 'feed-lines', 15)).droppedRows, 1_000);
    assert.equal((await retainOne(apps, 'audit', 30)).droppedRows, 500);
    assert.equal((await retainOne(apps, 'key-usage', 30)).droppedRows, hours);
    assert.equal((await retainOne(apps, 'refusals', 7)).droppedRows, 3);
    assert.equal((await retainOne(apps, 'stock-changes', 14)).droppedRows, 6);
    assert.equal((await retainOne(apps, 'events', 400)).droppedRows, 1);
    const after = await measure({ lines: 15, audit: 30, usage: 30, refusals: 7, changes: 14, events: 400 });
    assert.deepEqual(
      after.policies.map(({ dueRows, dueBytes }) => [dueRows, dueBytes]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    );
    assert.ok(
      (await measure()).policies.every(({ dueRows, keepDays }) => dueRows === 0 && keepDays === null),
    );
  });

  it('estimates a large table from a sample, and says so', async () => {
    const [a, b] = [await apps.newBrand(), await apps.newBrand()];
    for (const [brandId, records, prefix] of [
      [a.brandId, 100_000, 'a'],
      [b.brandId, 60_000, 'b'],
      [a.brandId, 80_000, 'c'],
    ] as const)
      await sql(
        `insert into idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body)
         select $1, 1, $3 || n, sha256('x'), 200, '{}', repeat('x', 200) from generate_series(1, $2) n`,
        [brandId, records, prefix],
      );
    const { tables } = await measure();
    const records = tables.find(({ table }) => table === 'public.idempotency_records');
    assert.ok((records?.sampled ?? 1) < 1, `sampled ${records?.sampled}`);
    near(records?.rows, 240_000, 0.1);
    near(records?.brands.find(({ brandId }) => brandId === a.brandId)?.rows, 180_000, 0.1);
    near(records?.brands.find(({ brandId }) => brandId === b.brandId)?.rows, 60_000, 0.2);
  });

  it('leaves out what exceeds the time limit', async () => {
    const limits = { connect: 5_000, lock: 5_000, statement: 500, answer: 10_000, idleTransaction: 5_000 };
    const hasty = new Database({ address: apps.address, applicationName: 'hasty', poolSize: 1, limits });
    /** Takes too long for one table. */
    const main: Queryable = {
      run: <Row>(asked: Statement<Row>) =>
        hasty.run(
          asked.text.includes('"stock_feed_packs"')
            ? statement<Row>('', 'select pg_sleep(60)', [], { long: true })
            : asked,
        ),
    };
    try {
      const { tables } = await measureUsage(
        { main, store: database },
        {
          keep: {
            'feed-lines': null,
            audit: null,
            'key-usage': null,
            refusals: null,
            'stock-changes': null,
            events: null,
          },
          now: apps.clock.now(),
          growthDays,
          cancelled: signal,
        },
      );
      const lines = tables.find(({ table }) => table === 'public.stock_feed_packs');
      assert.deepEqual([lines?.sampled, lines?.rows, lines?.brands], [null, null, []]);
      assert.ok((lines?.bytes ?? 0) > 0);
    } finally {
      await hasty.close();
    }
  });
});
