import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 86_400_000;
const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

type Address = Awaited<ReturnType<typeof createDatabase>>;

async function seedAnalytics(server: ServerProcess) {
  const { json: brand } = await server.admin.post('/brands', { name: 'Analytics' });
  const url = `/brands/${brand.id}`;
  const { json: key } = await server.admin.post(`${url}/keys`, { name: 'BI', scopes });
  for (const [path, items] of [
    ['users', [{ tu_id: 'u0' }]],
    ['contents', [{ type: 'episode', tu_id: 'c0' }]],
  ] as const)
    assert.equal((await server.admin.put(`${url}/${path}`, { items })).status, 200);
  return { url, client: server.clientWith(key.api_key) };
}

async function send(server: ServerProcess, url: string, instants: readonly string[]) {
  const items = instants.map((occurred_at, index) => ({
    event_id: `e-${index}`,
    occurred_at,
    kind: 'view',
    user: 'u0',
    content: { type: 'episode', tu_id: 'c0' },
  }));
  const { status, json, text } = await server.admin.post(`${url}/events`, { items });
  assert.deepEqual([status, json.accepted], [200, items.length], text);
}

/** Returns the address with a TCP port. */
const urlBy = (port: number, { user, password, database }: Address) =>
  `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

describe('a separate analytics store', { concurrency: true }, () => {
  // [internal-13]
  test('may be unavailable at the start: everything else is served, and the store once it is available', async () => {
    const [main, store] = [await createDatabase(), await createDatabase()];
    const proxy = await startTcpProxy(store);
    await proxy.cut();
    const server = await startServerProcess({
      env: { DATABASE_URL: databaseUrl(main), BRANDPORT_ANALYTICS_URL: urlBy(proxy.port, store) },
    });
    const { url, client } = await seedAnalytics(server);
    assert.equal((await client.create('/catalog/products', { sku: 'A' })).status, 201);
    assert.equal((await client.get('/catalog/products')).json.data.length, 1);
    assert.equal((await client.get('/analytics/metrics/daily')).json.code, 'analytics_unavailable');
    assert.equal((await client.get('/analytics/status')).json.datasets, null);

    await proxy.restore();
    const status = await waitFor('the datasets', async () => {
      const { json } = await client.get('/analytics/status');
      return json.datasets;
    });
    assert.equal(status.daily.latest_date, null);
    const yesterday = dayAgo(1);
    await send(server, url, [`${yesterday}T10:00:00Z`]);
    const range = { from: yesterday, to: yesterday };
    assert.equal((await server.admin.post(`${url}/aggregations`, range)).json.days, 1);
    assert.equal((await client.get('/analytics/users/daily')).json.data.length, 1);
    // The main database has none of its tables, and partitions for the coming months exist.
    const [schema] = await runSql<{ found: string | null }>(
      main,
      `select to_regclass('analytics.users') as found`,
    );
    assert.equal(schema?.found, null);
    const partitions = await runSql(
      store,
      `select inhrelid from pg_inherits where inhparent = 'analytics.learning_events'::regclass`,
    );
    assert.equal(partitions.length, 4);
    assert.equal((await server.stop()).code, 0);
  });

  test('that never answers at the start does not hold it up for long', async () => {
    const [main, store] = [await createDatabase(), await createDatabase()];
    const proxy = await startTcpProxy(store);
    proxy.hang();
    const server = await startServerProcess({
      env: { DATABASE_URL: databaseUrl(main), BRANDPORT_ANALYTICS_URL: urlBy(proxy.port, store) },
    });
    const { client } = await seedAnalytics(server);
    assert.equal((await client.get('/analytics/status')).json.datasets, null);
    await proxy.restore();
    await waitFor('the datasets', async () => (await client.get('/analytics/status')).json.datasets);
    assert.equal((await server.stop()).code, 0);
  });
});

describe('days', () => {
  test('are those of UTC, regardless of the time zone of process, database and session', async () => {
    const first = dayAgo(5);
    const instants = [
      `${dayAgo(5)}T00:00:00.000Z`,
      `${dayAgo(5)}T23:59:59.999Z`,
      `${dayAgo(4)}T00:00:00.000Z`,
      `${dayAgo(3)}T11:59:59.999Z`,
      `${dayAgo(3)}T12:00:00.000Z`,
      // The last instant of the previous day, and the first of this one.
      `${dayAgo(2)}T13:59:59.999+14:00`,
      `${dayAgo(2)}T14:00:00+14:00`,
      `${dayAgo(2)}T12:00:00-12:00`,
    ];
    const outcomes = [];
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
      const address = await createDatabase();
      await runSql(address, `alter database ${address.database} set timezone = '${zone}'`);
      // Here the address contains the session's setting, which overrides Brandport's.
      const session = `&options=${encodeURIComponent(`-c timezone=${zone}`)}`;
      const server = await startServerProcess({
        env: {
          TZ: zone,
          DATABASE_URL: databaseUrl(address),
          BRANDPORT_ANALYTICS_URL: databaseUrl(address) + session,
        },
      });
      const { url, client } = await seedAnalytics(server);
      await send(server, url, instants);
      const yesterday = dayAgo(1);
      const refused = await server.admin.post(`${url}/aggregations`, { from: first, to: dayAgo(0) });
      assert.equal(refused.status, 422, zone);
      const done = await server.admin.post(`${url}/aggregations`, { from: first, to: yesterday });
      assert.deepEqual([done.status, done.json.days], [200, 5], zone);
      const { json: aggregations } = await server.admin.get(`${url}/aggregations`);
      outcomes.push({
        rows: await Promise.all(
          ['/metrics/daily', '/metrics/contents', '/users/daily', '/users/contents'].map(
            async (path) => (await client.get(`/analytics${path}`)).json.data,
          ),
        ),
        status: Object.entries<object>((await client.get('/analytics/status')).json.datasets).map(
          ([name, dataset]) => ({ name, ...dataset, refreshed_at: null }),
        ),
        aggregations: aggregations.data.map(({ date, rows }: { date: string; rows: object }) => ({
          date,
          rows,
        })),
      });
      await server.stop();
    }
    const [utc, ...others] = outcomes;
    assert.deepEqual(
      utc?.rows[0].map(({ date, totals }: { date: string; totals: { views: number } }) => [
        date,
        totals.views,
      ]),
      [
        [dayAgo(5), 2],
        [dayAgo(4), 1],
        [dayAgo(3), 3],
        [dayAgo(2), 1],
        [dayAgo(1), 1],
      ],
    );
    for (const other of others) assert.deepEqual(other, utc);
  });
});
