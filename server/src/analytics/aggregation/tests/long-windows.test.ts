import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { addDays, countDays, yesterdayOf } from '../../day.ts';
import type { AnalyticsStore } from '../../store/analytics-store.ts';
import { AggregationTooLong } from '../../store/engine.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { emptyDirectory } from '../../tests/store-samples.ts';
import { aggregateWindowJob, type WindowJobData } from '../aggregation-service.ts';

const apps = await createTestApps();
const working = await createTestApps({ runsJobs: true });
const yesterday = yesterdayOf(apps.clock.now());
const daysBack = (days: number) => ({ from: addDays(yesterday, 1 - days), to: yesterday });

describe('the aggregation of a long window', () => {
  // [internal-41]
  it('is a job with the result of a request, listed while it runs and retrievable when it is finished', async () => {
    const brand = await newSeededBrand(working, { markets: ['m'] });
    const days = [0, 40, 399].map((back) => addDays(yesterday, -back));
    await brand.send(days.map((day) => ({ day })));
    const url = `/brands/${brand.brandId}/aggregations`;
    const { status, json } = await working.admin.post(url, daysBack(400));
    assert.deepEqual([status, Object.keys(json)], [202, ['job_id']]);
    const job = await waitFor('the job to be done', async () => {
      const found = await working.admin.get(`/jobs/${json.job_id}`);
      assert.equal(found.status, 200);
      return found.json.state === 'completed' ? found.json : null;
    });
    assert.equal(job.queue, 'aggregate-window');
    assert.deepEqual(job.result, {
      days: 400,
      rows: { daily: 800, contents: 3, users: 3, content_engagement: 3 },
    });
    const { json: served } = await brand.client.get('/analytics/metrics/daily?per_page=200');
    assert.equal(served.data.at(-1).cumulative.views, 3);
    const { data: listed } = (await working.admin.get('/jobs')).json;
    assert.ok(!listed.some(({ queue }: { queue: string }) => queue === 'aggregate-window'));
    const kept = await working.sql<{ seconds: number }>(
      `select deletion_seconds as seconds from pgboss.queue where name = 'aggregate-window'`,
    );
    assert.equal(kept[0]?.seconds, 7 * 24 * 60 * 60);
    const audit = await working.admin.get(`/audit?brand_id=${brand.brandId}&action=analytics.aggregate`);
    assert.deepEqual(audit.json.data[0].details, { job_id: json.job_id });
  });

  // [internal-41]
  it('becomes a job at 32 days', async () => {
    const { brandId } = await apps.newBrand();
    const url = `/brands/${brandId}/aggregations`;
    assert.equal((await apps.admin.post(url, daysBack(31))).status, 200);
    assert.equal((await apps.admin.post(url, daysBack(32))).status, 202);
  });

  it('is validated in the request', async () => {
    const { brandId } = await apps.newBrand();
    const url = `/brands/${brandId}/aggregations`;
    const before = await apps.sql('select from pgboss.job');
    for (const body of [
      { ...daysBack(400), to: addDays(yesterday, 1) },
      { from: '1000-01-01', to: yesterday },
      { from: 'x', to: yesterday },
    ])
      assert.equal((await apps.admin.post(url, body)).status, 422);
    assert.equal((await apps.admin.post('/brands/999999/aggregations', daysBack(400))).status, 404);
    assert.equal((await apps.sql('select from pgboss.job')).length, before.length);
  });

  it('is queued once while the same window waits, and again when that job has started', async () => {
    const { brandId } = await apps.newBrand();
    const ask = async (days: number) => {
      const { json } = await apps.admin.post(`/brands/${brandId}/aggregations`, daysBack(days));
      return json.job_id as string;
    };
    const ids = await Promise.all(Array.from({ length: 8 }, () => ask(100)));
    assert.equal(new Set(ids).size, 1);
    const [first] = ids;
    assert.notEqual(await ask(101), first);
    const listed = (await apps.admin.get('/jobs?per_page=200')).json.data;
    const job = listed.find(({ id }: { id: string }) => id === first);
    const { requested_at: _, ...window } = job.data;
    assert.deepEqual(
      [job.state, job.queue, window],
      ['queued', 'aggregate-window', { brand_id: brandId, ...daysBack(100) }],
    );
    await apps.sql(`update pgboss.job set state = 'active', started_on = now() where id = $1`, [first]);
    assert.equal((await apps.admin.get(`/jobs/${first}`)).json.state, 'running');
    assert.notEqual(await ask(100), first);
  });

  // [platform-76]
  it('of one brand runs alone, so that windows of another brand do not wait for all of them', async () => {
    const [many, other] = [await working.newBrand(), await working.newBrand()];
    const ask = async (brandId: number, days: number) => {
      const { json } = await working.admin.post(`/brands/${brandId}/aggregations`, daysBack(days));
      return json.job_id as string;
    };
    // Decades, which take seconds each.
    const ofMany = [];
    for (let n = 0; n < 4; n += 1) ofMany.push(await ask(many.brandId, 9_000 + n));
    const last = await ask(other.brandId, 40);
    const state = async (id: string) => (await working.admin.get(`/jobs/${id}`)).json.state;
    await waitFor('the job of the other brand', async () => (await state(last)) === 'completed');
    const states = await Promise.all(ofMany.map(state));
    assert.ok(states.filter((one) => one === 'running').length <= 1, states.join());
    assert.ok(states.includes('queued'), states.join());
  });

  it('continues after an interruption without repeating a day', async () => {
    const brand = await newSeededBrand(apps);
    const window = daysBack(60);
    await brand.send([0, 20, 59].map((back) => ({ day: addDays(yesterday, -back) })));
    const data: WindowJobData = {
      brand_id: brand.brandId,
      ...window,
      requested_at: new Date(apps.clock.now()).toISOString(),
    };
    const slices: { from: string; to: string }[] = [];
    const run = (stop: AbortController, afterSlices: number) => {
      const store = apps.context.analytics;
      const analytics: AnalyticsStore = {
        ...store,
        aggregate: async (brandId, range, readDirectory, options) => {
          const result = await store.aggregate(brandId, range, readDirectory, options);
          slices.push(range);
          if (slices.length >= afterSlices) stop.abort(new Error('stopped'));
          return result;
        },
      };
      return aggregateWindowJob.run({ ...apps.context, analytics }, data, stop.signal);
    };
    await assert.rejects(run(new AbortController(), 1), /stopped/);
    await assert.rejects(run(new AbortController(), 2), /stopped/);
    const result = await run(new AbortController(), Number.POSITIVE_INFINITY);
    assert.deepEqual(result, { days: 60, rows: { daily: 60, contents: 3, users: 3, content_engagement: 3 } });
    assert.equal(slices[0]?.from, window.from);
    assert.equal(slices.at(-1)?.to, window.to);
    for (const [place, { from }] of slices.slice(1).entries())
      assert.equal(from, addDays(slices[place]?.to as string, 1));
    assert.equal(
      slices.reduce((sum, slice) => sum + countDays(slice), 0),
      60,
    );
  });
});

describe('an aggregation with a limit', () => {
  it('fails without changing anything when it has to wait too long', async () => {
    const { brandId } = await apps.newBrand();
    const { analytics } = apps.context;
    const range = { from: yesterday, to: yesterday };
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isRunning = false;
    const running = analytics.aggregate(
      brandId,
      range,
      async () => {
        isRunning = true;
        await held;
        return emptyDirectory;
      },
      { at: new Date(apps.clock.now()), whenBusy: 'wait' },
    );
    await waitFor('the first aggregation to run', () => isRunning);
    await assert.rejects(
      analytics.aggregate(brandId, range, async () => emptyDirectory, {
        at: new Date(apps.clock.now()),
        whenBusy: 'wait',
        limitMs: 200,
      }),
      AggregationTooLong,
    );
    release();
    await running;
    const limited = { at: new Date(apps.clock.now()), whenBusy: 'wait', limitMs: 30_000 } as const;
    assert.equal((await analytics.aggregate(brandId, range, async () => emptyDirectory, limited))?.days, 1);
  });
});
