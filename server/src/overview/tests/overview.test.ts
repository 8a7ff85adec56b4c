import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../test/support/api-client.ts';
import { statementsOf } from '../../../test/support/statements-of.ts';
import { createTestApps, type TestBrand } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { addDays, dayOf, yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { applyBrandFeeds } from '../../catalog/feeds/apply-feeds.ts';
import { chunksOf, sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { packageVersion } from '../../serve/lifetime.ts';
import { quiet } from './quiet-overview.ts';

const apps = await createTestApps();
const { admin, sql } = apps;
const today = dayOf(apps.clock.now());
const yesterday = yesterdayOf(apps.clock.now());

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, location_code: 'L', quantity: 1 }));

/** Sends a feed that ended some time ago with open lines. */
async function endFeed(client: ApiClient, batch: string, ago: string, how: string): Promise<void> {
  assert.equal((await sendFeed(client, lines(1), batch)).status, 202);
  await sql(
    `update stock_feeds set finished_at = $2::timestamptz - $3::interval, ${how} where batch_id = $1`,
    [batch, new Date(apps.clock.now()), ago],
  );
  await sql(
    `insert into open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at)
     select f.brand_id, f.batch_id || n, 'L', f.id, n, now() from stock_feeds f, generate_series(1, 6) n where batch_id = $1`,
    [batch],
  );
}

/** Adds a job that ended, `hours` ago, and returns its id. */
async function addJob(queue: string, state: string, hours: number, more: object = {}): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into pgboss.job (name, state, data, policy, created_on, started_on, completed_on, output)
     select q.name, $2::pgboss.job_state, $4::jsonb -> 'data', q.policy, t.at, t.at, t.at, $4::jsonb -> 'output'
     from pgboss.queue q, (select now() - $3::float8 * interval '1 hour' as at) as t where q.name = $1 returning id`,
    [queue, state, hours, JSON.stringify(more)],
  );
  assert.ok(row);
  return row.id;
}

/** Stores requests of a key of which some were denied, `hours` before this hour. */
function addDenials({ brandId, keyId }: TestBrand, hours: number, denied: number) {
  return sql(
    `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
     values ($1, date_trunc('hour', $2::timestamptz, 'UTC') - $3::int * interval '1 hour', $4, 'listProducts', 100, $5, 0, 0)`,
    [brandId, new Date(apps.clock.now()), hours, keyId, denied],
  );
}

/** Stores refused requests of a key, `hours` ago, in one row with a number. */
function addRefusals(
  { brandId, keyId }: Pick<TestBrand, 'brandId' | 'keyId'>,
  id: number,
  hours: number,
  count: number,
) {
  return sql(
    `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
     values ($1, $2, $3::timestamptz - $4::float8 * interval '1 hour', 'r', $5, 'GET', '/', 404, 'not_found', '{}', $6)`,
    [brandId, id, new Date(apps.clock.now()), hours, keyId, count],
  );
}

// [internal-178] [D178]
describe('the overview', async () => {
  const one = await newSeededBrand(apps, { users: ['a'] });
  const two = await newSeededBrand(apps, { users: ['a'] });
  const operator = await newAdministrator(apps, 'operator', [one.brandId]);
  const support = await newAdministrator(apps, 'support', null);

  it('is all zeros on a quiet day, on which events arrive', async () => {
    await one.aggregate({ from: yesterday, to: yesterday });
    await one.send([{ day: today, user: 'a' }]);
    assert.deepEqual(await ok(admin.get('/overview')), {
      version: packageVersion,
      role: 'all',
      database: 'available',
      analytics: 'available',
      redis: 'not_configured',
      ...quiet,
    });
  });

  it('shows administrators the figures of all brands, others those of their brands', async () => {
    // Feeds: of the first brand one that is being applied and one that waits, of the second two that failed.
    await sendFeed(one.client, lines(2_500), 'first');
    await sendFeed(one.client, lines(3), 'second');
    const observer = { feedFinished: () => {}, chunkFailed: () => {} };
    await applyBrandFeeds(apps.context, observer, one.brandId, { sliceMs: 0, size: chunksOf(1_000) });
    await sql(
      `update stock_feeds set received_at = received_at - interval '5 minutes' where batch_id = 'first'`,
    );
    for (const [batch, ago] of [
      ['failed-now', '1 minute'],
      ['failed-today', '23 hours 59 minutes'],
      ['failed-before', '24 hours 1 minute'],
    ] as const) {
      await endFeed(two.client, batch, ago, `status = 'failed'`);
    }
    // Jobs.
    await addJob('apply-stock-feeds', 'failed', 1, { data: { brand_id: one.brandId } });
    await addJob('apply-stock-feeds', 'failed', 23.9, { data: { brand_id: two.brandId } });
    await addJob('apply-stock-feeds', 'failed', 24.1, { data: { brand_id: one.brandId } });
    await addJob('purge-sessions', 'failed', 2);
    await addJob('apply-stock-feeds', 'completed', 1, { data: { brand_id: one.brandId } });
    const night = await addJob('aggregate-days', 'completed', 3);
    const run = await addJob('run-doctor', 'completed', 2, {
      output: {
        brands: 2,
        found: 4,
        differences: [{ check: 'product_stock', brandId: two.brandId, found: 4 }],
      },
    });
    await addJob('run-doctor', 'active', 1);
    // Datasets: the second brand is behind, with a late event.
    const before = addDays(yesterday, -3);
    await two.aggregate({ from: before, to: before });
    await two.send([{ day: before, user: 'a' }]);
    await one.send([{ day: yesterday, user: 'a' }]);
    // Keys.
    const inDays = (days: number) => new Date(apps.clock.now() + days * 86_400_000).toISOString();
    await apps.newKey(one.brandId, ['catalog.products:read'], { expires_at: inDays(29) });
    await apps.newKey(one.brandId, ['catalog.products:read'], { expires_at: inDays(31) });
    const gone = await apps.newKey(one.brandId, ['catalog.products:read'], { expires_at: inDays(1) });
    await ok(admin.post(`/keys/${gone.keyId}/revoke`));
    const [old, seen] = [await apps.newKey(two.brandId), await apps.newKey(two.brandId)];
    await sql(`update api_keys set created_at = now() - interval '91 days' where key_id = any($1)`, [
      [old.keyId, seen.keyId, gone.keyId],
    ]);
    await sql(`update api_keys set last_used_at = now() - interval '89 days' where key_id = $1`, [
      seen.keyId,
    ]);
    await apps.newKey(one.brandId, ['catalog.products:read'], { replaces_key_id: one.keyId });
    const { keyId: replaced } = await apps.newKey(two.brandId);
    await apps.newKey(two.brandId, ['catalog.products:read'], { replaces_key_id: replaced });
    await ok(admin.post(`/keys/${replaced}/revoke`));
    // Refusals: of the first brand two keys, of the second one.
    await addRefusals(one, 1, 23.9, 2);
    await addRefusals({ ...one, keyId: gone.keyId }, 2, 1, 3);
    await addRefusals(one, 3, 24.1, 100);
    await addRefusals(two, 1, 1, 7);
    // Feeds with refused lines: one that ended today, with lines of three results, one that ended before.
    for (const [batch, ago] of [
      ['refused-today', '23 hours 59 minutes'],
      ['refused-before', '24 hours 1 minute'],
    ] as const) {
      const totals = { applied: 5, stale: 4, unknown_sku: 3, unknown_location: 2, not_stockable: 1 };
      await endFeed(two.client, batch, ago, `status = 'completed', totals = '${JSON.stringify(totals)}'`);
    }
    // Denials of this hour and of the one before, not of an earlier one.
    await addDenials(one, 0, 5);
    await addDenials(two, 1, 7);
    await addDenials(two, 2, 11);

    const all = await ok(admin.get('/overview'));
    assert.ok(all.feeds.oldest_age_seconds >= 300 && all.feeds.oldest_age_seconds < 600);
    assert.ok(all.feeds.lines_per_second > 0 && all.feeds.lines_per_second < 4, all.feeds.lines_per_second);
    const { last_run, ...datasets } = all.datasets;
    assert.deepEqual(
      [all.feeds.queued, all.feeds.processing, all.feeds.waiting_lines, all.feeds.failed_24h],
      [1, 1, 1_503, 2],
    );
    assert.deepEqual([all.jobs.failed_24h, datasets], [3, { brands_behind: 1, dirty_days: 2 }]);
    const failures = (jobs: { failures: { queue: string; count: number }[] }) =>
      jobs.failures.map(({ queue, count }) => [queue, count]);
    assert.deepEqual(failures(all.jobs), [
      ['apply-stock-feeds', 2],
      ['purge-sessions', 1],
    ]);
    assert.deepEqual([last_run.job_id, last_run.state, last_run.error], [night, 'completed', null]);
    assert.deepEqual(all.keys, { expiring_30d: 1, unused_90d: 1, overlaps: 1 });
    assert.deepEqual(all.limits, { denials_1h: 12 });
    assert.deepEqual(all.refusals, { last_24h: 12, keys: 3 });
    assert.equal(all.feeds.refused_lines_24h, 6);
    const countFeeds = async (query: string) => (await ok(admin.get(`/feeds?${query}`))).meta.total;
    assert.equal(await countFeeds('refused_lines=true'), 3, 'those two and the one in work');
    assert.equal(await countFeeds('refused_lines=false'), (await countFeeds('')) - 3);
    const { started_at, finished_at, ...doctor } = all.doctor;
    assert.deepEqual(doctor, { id: run, state: 'completed', brands: 2, found: 4, error: null });
    assert.ok(Date.parse(started_at) <= Date.parse(finished_at));

    const own = await ok(operator.client.get('/overview'));
    assert.deepEqual([own.feeds.queued, own.feeds.processing, own.feeds.failed_24h], [1, 1, 0]);
    assert.deepEqual([own.jobs.failed_24h, failures(own.jobs)], [1, [['apply-stock-feeds', 1]]]);
    assert.deepEqual(own.datasets, { brands_behind: 0, dirty_days: 1, last_run: null });
    assert.deepEqual(own.keys, { expiring_30d: 1, unused_90d: 0, overlaps: 1 });
    assert.deepEqual([own.limits, own.doctor], [{ denials_1h: 5 }, null]);
    assert.deepEqual([own.refusals, own.feeds.refused_lines_24h], [{ last_24h: 5, keys: 2 }, 0]);

    const read = await ok(support.client.get('/overview'));
    assert.deepEqual(
      [read.feeds.failed_24h, read.jobs, read.keys, read.limits],
      [2, all.jobs, all.keys, all.limits],
    );
    assert.deepEqual([read.datasets.last_run, read.doctor], [null, null]);
  });

  it('shows no rate of a feed that nobody works on any more', async () => {
    await sql(`update stock_feeds set worked_at = worked_at - interval '2 minutes' where batch_id = 'first'`);
    const { feeds } = await ok(admin.get('/overview'));
    assert.deepEqual([feeds.processing, feeds.lines_per_second], [1, null]);
  });

  it('of an operator of brands without anything is empty', async () => {
    const { brandId } = await apps.newBrand();
    const { client } = await newAdministrator(apps, 'operator', [brandId]);
    const { feeds, jobs, datasets, keys, refusals, limits, concerns, doctor } = await ok(
      client.get('/overview'),
    );
    assert.deepEqual({ feeds, jobs, datasets, keys, refusals, limits, concerns, doctor }, quiet);
  });

  it('costs the same number of statements with more brands', async () => {
    const count = () => statementsOf(apps.context.database, () => ok(admin.get('/overview')));
    const few = await count();
    for (let index = 0; index < 5; index += 1) await apps.newBrand();
    assert.deepEqual(await count(), few);
  });
});

it('the overview names an unavailable analytics store, and shows all else', async () => {
  const away = await createTestApps({
    analyticsAddress: { url: 'postgres://nobody@127.0.0.1:1/none' },
  });
  const { client } = await away.newBrand();
  await sendFeed(client, lines(2));
  const overview = await ok(away.admin.get('/overview'));
  assert.equal(overview.analytics, 'unavailable');
  assert.deepEqual(overview.datasets, { brands_behind: null, dirty_days: null, last_run: null });
  assert.deepEqual([overview.feeds.queued, overview.feeds.waiting_lines], [1, 2]);
});
