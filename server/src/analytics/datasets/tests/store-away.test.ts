// processes, alone: waits for a store that hangs
import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import pg from 'pg';
import type { ApiResponse } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { createProxiedStore } from '../../tests/proxied-store.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const { storeDatabase, proxy, analyticsAddress } = await createProxiedStore();
const apps = await createTestApps({
  analyticsAddress,
});
const yesterday = yesterdayOf(apps.clock.now());
const lists = ['/metrics/daily', '/metrics/contents', '/users/daily', '/users/contents'];
const limitMs = 3_000;

let brand: SeededBrand;

before(async () => {
  brand = await newSeededBrand(apps);
  await brand.send([{ day: yesterday }]);
  await brand.aggregate({ from: yesterday, to: yesterday });
  await brand.client.create('/catalog/products', { sku: 'A', title: 'A' });
});

// One failure must not fail the tests after it.
afterEach(() => proxy.restore());

async function timed(asked: Promise<ApiResponse>) {
  const start = performance.now();
  const response = await asked;
  return { response, ms: performance.now() - start };
}

function assertUnavailable({ response, ms }: { response: ApiResponse; ms: number }): void {
  assert.deepEqual([response.status, response.json.code], [503, 'analytics_unavailable']);
  assert.equal(response.headers['retry-after'], '60');
  assert.ok(ms < limitMs, `${ms} ms`);
}

/** Checks that everything except the datasets works as usual, and that the datasets respond in time that they are unavailable. */
async function assertAway(): Promise<void> {
  const asked = lists.map((path) => timed(brand.client.get(`/analytics${path}`)));
  const [status, catalog, created] = await Promise.all([
    timed(brand.client.get('/analytics/status')),
    timed(brand.client.get('/catalog/products')),
    timed(brand.client.create('/catalog/products', { sku: `S${Math.random()}`, title: 'S' })),
  ]);
  for (const answer of await Promise.all(asked)) assertUnavailable(answer);
  assert.deepEqual([status.response.status, status.response.json.datasets], [200, null]);
  assert.equal(status.response.json.brand_id, brand.brandId);
  assert.ok(status.ms < limitMs, `${status.ms} ms`);
  assert.deepEqual([catalog.response.status, created.response.status], [200, 201]);
  // Requests that waited for the store would take its limit of 2.5 s.
  assert.ok(catalog.ms < 2_000 && created.ms < 2_000, `${catalog.ms} ms, ${created.ms} ms`);
}

async function assertBack(): Promise<void> {
  await waitFor('the datasets to be back', async () => {
    const answers = await Promise.all(lists.map((path) => brand.client.get(`/analytics${path}`)));
    return answers.every(({ status, json }) => status === 200 && json.data.length > 0);
  });
  const { json } = await brand.client.get('/analytics/status');
  assert.equal(json.datasets.daily.latest_date, yesterday);
}

// [analytics-6] [analytics-43]
describe('an analytics store', () => {
  it('that is down affects nothing else, and recovers without a restart', async () => {
    await assertBack();
    await proxy.cut();
    for (const _ of [1, 2]) await assertAway();
    const event = { event_id: 'e', occurred_at: `${yesterday}T00:00:00Z`, kind: 'view', user: 'u0' };
    const sent = await apps.admin.post(`/brands/${brand.brandId}/events`, {
      items: [{ ...event, content: { type: 'episode', tu_id: 'c0' } }],
    });
    const aggregated = await apps.admin.post(`/brands/${brand.brandId}/aggregations`, {
      from: yesterday,
      to: yesterday,
    });
    for (const { status, json } of [sent, aggregated])
      assert.deepEqual([status, json.code], [503, 'analytics_unavailable']);
    await proxy.restore();
    await assertBack();
  });

  it('that hangs on old and new connections gets a timely 503, even for many requests at once', async () => {
    await assertBack();
    proxy.hang();
    await assertAway();
    const many = await Promise.all(
      Array.from({ length: 40 }, (_, index) => timed(brand.client.get(`/analytics${lists[index % 4]}`))),
    );
    for (const answer of many) assertUnavailable(answer);
    await assertAway();
    await proxy.restore();
    await assertBack();
  });

  it('that dies during a query gets a timely 503', async () => {
    await assertBack();
    const release = await holdTables();
    const asked = lists.map((path) => timed(brand.client.get(`/analytics${path}`)));
    await untilWaiting(lists.length);
    await proxy.cut();
    for (const answer of await Promise.all(asked)) assertUnavailable(answer);
    await release();
    await proxy.restore();
    await assertBack();
  });

  it('that ends its sessions, as in a restart, is queried again and responds', async () => {
    await assertBack();
    const ended = await storeDatabase.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'brandport-analytics'`,
    );
    assert.ok(ended.length > 0);
    for (const path of lists) assert.equal((await brand.client.get(`/analytics${path}`)).status, 200);
  });

  it('that responds too slowly gets a timely 503', async () => {
    await assertBack();
    const release = await holdTables();
    const asked = lists.map((path) => timed(brand.client.get(`/analytics${path}`)));
    for (const answer of await Promise.all(asked)) assertUnavailable(answer);
    await release();
    await assertBack();
  });

  it('without its tables, as before its migrations ran, is unavailable', async () => {
    await storeDatabase.sql('alter schema analytics rename to elsewhere');
    await assertAway();
    await storeDatabase.sql('alter schema elsewhere rename to analytics');
    await assertBack();
  });

  it('that is unavailable does not change how invalid and forbidden requests are rejected', async () => {
    await proxy.cut();
    const { client } = await apps.newKey(brand.brandId, ['catalog.products:read']);
    assert.equal((await client.get('/analytics/metrics/daily')).status, 403);
    const asked = await brand.client.get(
      `/analytics/users/daily?from=${addDays(yesterday, -200)}&to=${yesterday}`,
    );
    assert.equal(asked.json.code, 'date_range_too_large');
    assert.equal((await brand.client.get('/analytics/users/daily?user=nobody')).status, 404);
    assert.equal((await brand.client.get('/analytics/users/daily?cursor=nonsense')).status, 400);
    await proxy.restore();
    await assertBack();
  });
});

/** Blocks the reading of pages until it is released. */
async function holdTables(): Promise<() => Promise<void>> {
  const holder = new pg.Client(storeDatabase.address);
  await holder.connect();
  await holder.query('begin');
  await holder.query(
    `lock table analytics.daily, analytics.contents, analytics.users, analytics.content_engagement
     in access exclusive mode`,
  );
  return () => holder.end();
}

async function untilWaiting(count: number): Promise<void> {
  await waitFor('the questions to wait for the lock', async () => {
    const [row] = await storeDatabase.sql<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(row?.waiting) >= count;
  });
}
