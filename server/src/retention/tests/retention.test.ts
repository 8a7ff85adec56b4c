// processes, alone: several workers drop the same rows
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { insertFeedLines } from '../../../test/support/insert-feed-lines.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { dropRefusals } from '../../access/refusals/refusal-store.ts';
import { dropUnverifiedRefusals } from '../../access/refusals/unverified-refusal-store.ts';
import { dropAuditEntries } from '../../audit/audit-store.ts';
import { scheduledJobs } from '../../jobs/job.ts';
import { observeRetention, watchRetention } from '../../serve/observe-features.ts';
import { PoliciesNotApplied } from '../apply-retention.ts';
import { defaultKeep } from '../policy-settings.ts';
import { listRetentionRuns } from '../retention-run-store.ts';
import { dayMs, retain, retainOne } from './retain.ts';

const apps = await createTestApps();
const { sql, clock } = apps;
const { brandId } = await apps.newBrand();

async function addFeeds(count: number, finishedAt: Date): Promise<void> {
  await sql(
    `with feeds as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
         received_at, finished_at)
       select $1, gen_random_uuid(), gen_random_uuid(), '', 'erp', 'completed', 2, 2, '{"applied": 2}', $3, $3
       from generate_series(1, $2)
       returning id
     )
     ${insertFeedLines(`select $1::integer, id, n, 'x', 'L', 1, now(), 'applied' from feeds, generate_series(0, 1) n`)}`,
    [brandId, count, finishedAt],
  );
}

const addEntries = (count: number, at: Date) =>
  sql(
    `insert into audit_entries (at, action, resource_type, resource_id) select $2, 'test', 'test', n::text
     from generate_series(1, $1) n`,
    [count, at],
  );

const addRefusals = (count: number, at: Date) =>
  sql(
    `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
     select $3, coalesce((select max(id) from refusals), 0) + n, $2, 'r', 'k', 'GET', '/', 404, 'not_found', '{}', 1
     from generate_series(1, $1) n`,
    [count, at, brandId],
  );

const addUnverified = (count: number, at: Date) =>
  sql(
    `insert into unverified_refusals (minute, network, reason, count) select $2, n::text, 'unknown', 1
     from generate_series(1, $1) n`,
    [count, at],
  );

async function countOf(table: string, where = 'true'): Promise<number> {
  const [row] = await sql<{ count: number }>(`select count(*) from ${table} where ${where}`);
  return Number(row?.count);
}

// [internal-55]
describe('the retention', () => {
  for (const [table, policy, drop, add] of [
    ['audit_entries', 'audit', dropAuditEntries, addEntries],
    ['refusals', 'refusals', dropRefusals, addRefusals],
    ['unverified_refusals', 'refusals', dropUnverifiedRefusals, addUnverified],
  ] as const)
    it(`drops rows of ${table} that are older than the setting by the clock, not as old, and the newer ones stay`, async () => {
      const now = clock.now();
      await add(3, new Date(now - 30 * dayMs - 60_000));
      await add(2, new Date(now - 30 * dayMs + 600_000));
      const before = await countOf(table);
      assert.equal((await retainOne(apps, policy, 31)).droppedRows, 0);
      assert.equal((await retainOne(apps, policy, 30)).droppedRows, 3);
      assert.equal(await countOf(table), before - 3);
      clock.advance(601_000);
      assert.equal((await retainOne(apps, policy, 30)).droppedRows, 2);
      assert.equal(await countOf(table), before - 5);

      const at = new Date('2020-01-01T00:00:00.000Z');
      await add(1, at);
      const dropBefore = (time: Date) => apps.database.transaction((tx) => drop(tx, time, 10));
      assert.equal(await dropBefore(at), 0);
      assert.equal(await dropBefore(new Date(at.getTime() + 1)), 1);
    });

  it('drops everything that is due in batches, keeps what is kept forever, and records each run', async () => {
    const old = new Date(clock.now() - 500 * dayMs);
    await addEntries(12_001, old);
    await addFeeds(450, old);
    const steps: [string, number][] = [];
    const applied: string[] = [];
    const outcomes = await retain(
      apps,
      { 'feed-lines': 400 },
      {
        observer: {
          rowsDropped: (policy, rows) => steps.push([policy, rows]),
          policyApplied: ({ policy }) => applied.push(policy),
        },
      },
    );
    assert.deepEqual(
      outcomes.map(({ policy, keepDays, droppedRows }) => [policy, keepDays, droppedRows]),
      [
        ['feed-lines', 400, 900],
        ['audit', null, 0],
        ['key-usage', null, 0],
        ['refusals', null, 0],
        ['stock-changes', null, 0],
        ['events', null, 0],
      ],
    );
    assert.deepEqual(steps, [
      ['feed-lines', 400],
      ['feed-lines', 400],
      ['feed-lines', 100],
    ]);
    assert.deepEqual(applied, ['feed-lines', 'audit', 'key-usage', 'refusals', 'stock-changes', 'events']);
    assert.equal(await countOf('audit_entries', `action = 'test'`), 12_001);
    assert.equal((await retainOne(apps, 'audit', 400)).droppedRows, 12_001);
    const runs = await listRetentionRuns(apps.database);
    assert.deepEqual(
      runs.map(({ policy, droppedRows }) => [policy, droppedRows]),
      [
        ['audit', 12_001],
        ['events', 0],
        ['feed-lines', 0],
        ['key-usage', 0],
        ['refusals', 0],
        ['stock-changes', 0],
      ],
    );
    assert.ok(runs.every(({ finishedAt }) => Date.now() - finishedAt.getTime() < 60_000));
  });

  it('drops each row once when several workers run at the same time', async () => {
    const old = new Date(clock.now() - 500 * dayMs);
    await addEntries(20_000, old);
    await addFeeds(600, old);
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => retain(apps, { 'feed-lines': 400, audit: 400 })),
    );
    const dropped = (policy: string) =>
      runs.flat().reduce((sum, run) => sum + (run.policy === policy ? run.droppedRows : 0), 0);
    assert.deepEqual([dropped('feed-lines'), dropped('audit')], [1_200, 20_000]);
    assert.equal(await countOf('stock_feed_lines'), 0);
  });

  it('stops between two steps when the worker stops, and the next run drops the rest', async () => {
    const old = new Date(clock.now() - 500 * dayMs);
    await addFeeds(600, old);
    const stopping = new AbortController();
    const reason = new Error('the worker stops');
    const observer = { rowsDropped: () => stopping.abort(reason), policyApplied: () => {} };
    await assert.rejects(retain(apps, { 'feed-lines': 400 }, { observer, signal: stopping.signal }), reason);
    assert.equal(await countOf('stock_feed_lines'), 800);
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 800);
  });

  it('is a job of the service, which logs and counts what it drops, and shows when it ran', async () => {
    const job = scheduledJobs.find(({ name }) => name === 'apply-retention');
    assert.ok(job);
    await addEntries(7, new Date(clock.now() - 500 * dayMs));
    const registry = new Registry();
    const logged: object[] = [];
    const log = (details: unknown) => void logged.push(details as object);
    const observer = observeRetention(registry, { info: log, warn: log });
    watchRetention(registry, apps.database);
    const feeds = { feedFinished: () => {}, chunkFailed: () => {} };
    const context = { ...apps.context, feeds, retention: { keep: defaultKeep, observer } };
    assert.deepEqual(await job.run(context, new AbortController().signal), {
      'feed-lines': 0,
      audit: 7,
      'key-usage': 0,
      refusals: 0,
      'stock-changes': 0,
      events: 0,
    });
    assert.deepEqual(
      logged.map((details) => ({ ...details, ms: 0 })),
      [
        { policy: 'feed-lines', keep: '400d', dropped_rows: 0, ms: 0 },
        { policy: 'audit', keep: '400d', dropped_rows: 7, ms: 0 },
        { policy: 'key-usage', keep: '100d', dropped_rows: 0, ms: 0 },
        { policy: 'refusals', keep: '7d', dropped_rows: 0, ms: 0 },
        { policy: 'stock-changes', keep: '8d', dropped_rows: 0, ms: 0 },
        { policy: 'events', keep: 'forever', dropped_rows: 0, ms: 0 },
      ],
    );
    const metrics = await registry.metrics();
    assert.match(metrics, /brandport_retention_dropped_rows_total\{policy="audit"\} 7\n/);
    const [, ranAt] =
      /brandport_retention_last_run_timestamp_seconds\{policy="events"\} (\S+)/.exec(metrics) ?? [];
    assert.ok(Math.abs(Number(ranAt) * 1_000 - Date.now()) < 60_000, metrics);
  });

  it('applies the other policies when one fails, and then reports the failure', async () => {
    const old = new Date(clock.now() - 500 * dayMs);
    await addEntries(1, old);
    await addFeeds(1, old);
    await sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    );
    await sql('create trigger refuse before delete on stock_feed_packs execute function refuse()');
    await assert.rejects(
      retain(apps, { 'feed-lines': 400, audit: 400 }),
      (error) => error instanceof PoliciesNotApplied && /^feed-lines: refused$/.test(error.message),
    );
    await sql('drop trigger refuse on stock_feed_packs');
    assert.equal(await countOf('audit_entries', `action = 'test'`), 0);
    assert.equal(await countOf('stock_feeds', 'lines_dropped_at is null'), 1);
    assert.equal((await retainOne(apps, 'feed-lines', 400)).droppedRows, 2);
  });
});
