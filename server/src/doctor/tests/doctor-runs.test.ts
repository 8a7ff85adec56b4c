// processes: runs the doctor over two databases, again and again
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { aggregateWindowJob } from '../../analytics/aggregation/aggregation-service.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { doctorRunJob } from '../doctor-run-job.ts';

// [internal-140]
describe('a run of the doctor', async () => {
  const apps = await createTestApps({ runsJobs: true });
  const { admin, sql } = apps;
  const yesterday = yesterdayOf(apps.clock.now());
  const brand = await newSeededBrand(apps, { users: ['a'] });
  for (const sku of ['A', 'B']) await ok(brand.client.create('/catalog/products', { sku }), 201);
  await brand.send([{ day: yesterday, user: 'a' }]);
  await brand.aggregate({ from: yesterday, to: yesterday });

  /** Starts a run and returns it when it is finished. */
  async function runToTheEnd() {
    const { status, json } = await admin.post('/doctor-runs');
    assert.equal(status, 202);
    return waitFor('the run to end', async () => {
      const { data } = await ok(admin.get('/doctor-runs?per_page=1'));
      assert.equal(data[0].id, json.id);
      return ['completed', 'failed'].includes(data[0].state) ? data[0] : undefined;
    });
  }

  /** The gauges of the last run, on a new process: a process keeps what it has read for some seconds. */
  async function readGauges() {
    const fresh = await createTestApps({ copyOf: apps });
    const { body } = await fresh.internalApp.inject('/metrics');
    const gauges = [...body.matchAll(/^brandport_doctor_(\w+) (\S+)$/gm)];
    return Object.fromEntries(gauges.map(([, name, value]) => [name, Number(value)]));
  }

  it('has no figures before the first one', async () => assert.deepEqual(await readGauges(), {}));

  it('finds nothing in an undamaged database, and is a job and in the audit', async () => {
    const { id, started_at, finished_at, ...run } = await runToTheEnd();
    assert.deepEqual(run, { state: 'completed', brands: 1, found: 0, differences: [], error: null });
    assert.ok(Date.parse(started_at) <= Date.parse(finished_at));
    const { findings, last_run_timestamp_seconds } = await readGauges();
    assert.deepEqual([findings, last_run_timestamp_seconds], [0, Date.parse(finished_at) / 1_000]);
    const job = await ok(admin.get(`/jobs/${id}`));
    assert.deepEqual([job.queue, job.state, job.result.found], ['run-doctor', 'completed', 0]);
    const { data } = await ok(admin.get('/audit?action=doctor.run'));
    assert.deepEqual(
      data.map(({ resource_id }: { resource_id: string }) => resource_id),
      [id],
    );
  });

  it('counts differences by check and brand, in both databases, and repairs nothing', async () => {
    const { brandId } = await apps.newBrand();
    for (const id of [brandId, brand.brandId])
      await sql(
        `insert into brand_catalogs (brand_id, version, changed_at, products_total) values ($1, 1, now(), 7)
         on conflict (brand_id) do update set products_total = 7`,
        [id],
      );
    await sql('update analytics.users set views = views + 1 where brand_id = $1', [brand.brandId]);
    const first = await runToTheEnd();
    const found = new Map(
      first.differences.map(({ check, brand_id, found: count }: Record<string, unknown>) => [
        `${brand_id}/${check}`,
        count,
      ]),
    );
    for (const name of [`${brandId}/product_counters`, `${brand.brandId}/product_counters`])
      assert.ok(found.has(name), JSON.stringify(first));
    assert.ok(found.has(`${brand.brandId}/dataset_users`), JSON.stringify(first));
    assert.equal(
      first.found,
      first.differences.reduce((sum: number, one: { found: number }) => sum + one.found, 0),
    );
    const second = await runToTheEnd();
    assert.deepEqual([second.found, second.differences], [first.found, first.differences]);
    assert.notEqual(second.id, first.id);
    assert.equal((await readGauges())['findings'], first.found);
  });

  it('that fails has the reason, and the next one runs', async () => {
    await sql('alter table sku_claims rename to gone');
    const failed = await runToTheEnd();
    await sql('alter table gone rename to sku_claims');
    assert.deepEqual([failed.state, failed.found, failed.differences], ['failed', null, []]);
    assert.match(failed.error, /sku_claims/);
    // A run that failed says nothing about the data.
    assert.ok(((await readGauges())['findings'] ?? 0) > 0);
    assert.equal((await runToTheEnd()).state, 'completed');
  });
});

describe('runs of the doctor', async () => {
  const apps = await createTestApps();
  const { admin, sql } = apps;

  // [internal-140]
  it('are one at a time, whether one waits or runs, and a failed one does not block the next', async () => {
    const start = async () => (await admin.post('/doctor-runs')).json;
    const ids = (await Promise.all(Array.from({ length: 6 }, start))).map(({ id }) => id);
    assert.equal(new Set(ids).size, 1);
    await sql(`update pgboss.job set state = 'active', started_on = now() where id = $1`, [ids[0]]);
    const running = await start();
    assert.deepEqual([running.id, running.state], [ids[0], 'running']);
    assert.equal((await ok(admin.get('/audit?action=doctor.run'))).meta.total, 1);
    await sql(`update pgboss.job set state = 'failed' where id = $1`, [ids[0]]);
    const next = await start();
    assert.notEqual(next.id, ids[0]);
    const { data, meta } = await ok(admin.get('/doctor-runs'));
    assert.deepEqual(
      [meta.total, data.map(({ id, state }: Record<string, unknown>) => [id, state])],
      [
        2,
        [
          [next.id, 'queued'],
          [ids[0], 'failed'],
        ],
      ],
    );
  });

  // [D71]
  it('are not retried by the queue, unlike other long jobs', async () => {
    const queues = await sql<{ name: string; retry_limit: number; heartbeat_seconds: number }>(
      'select name, retry_limit, heartbeat_seconds from pgboss.queue where name = any($1::text[])',
      [[doctorRunJob.name, aggregateWindowJob.name]],
    );
    const of = (name: string) => queues.find((queue) => queue.name === name);
    assert.deepEqual([of(doctorRunJob.name)?.retry_limit, of(doctorRunJob.name)?.heartbeat_seconds], [0, 60]);
    assert.ok((of(aggregateWindowJob.name)?.retry_limit ?? 0) > 0);
  });
});
