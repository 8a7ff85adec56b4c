import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { KeyUsageRow } from '../key-usage-store.ts';

const apps = await createTestApps({ limits: { catalog_key_writes: 4 } });
const { admin, clock, keyUsage } = apps;

// The next full hour and a minute: no test runs over the end of an hour unless it means to.
clock.advance(3_660_000 - (clock.now() % 3_600_000));

type Usage = Omit<KeyUsageRow, 'at' | 'keyId'> & { readonly at: string; readonly key_id: string };

async function usageOf(path: string): Promise<Usage[]> {
  await keyUsage.flush();
  const { status, json, text } = await admin.get(path);
  assert.equal(status, 200, text);
  return json.data;
}

const countsOf = ({ operation, scope, requests, denied, refused, failed }: Usage) => [
  ...[operation, scope, requests, denied, refused, failed],
];

/** Moves the clock to ten minutes before the end of a month, in UTC. */
function moveToMonthEnd(): void {
  const now = new Date(clock.now());
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const end =
    nextMonth - 600_000 > now.getTime()
      ? nextMonth
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  clock.advance(end - 600_000 - now.getTime());
}

// [internal-75]
describe('the counts of requests', () => {
  it('are by key and operation, with what was denied, refused and failed', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const reader = await apps.newKey(brandId, ['catalog.products:read']);
    for (let i = 0; i < 3; i += 1) await client.get('/catalog/products');
    await client.head('/catalog/products');
    await client.get('/catalog/products/unknown');
    await client.get('/catalog/status');
    assert.equal((await client.create('/catalog/products', { sku: 'A' })).status, 201);
    assert.equal((await client.create('/catalog/products', {})).status, 422);
    assert.equal((await client.create('/catalog/products', { sku: 'A' })).status, 409);
    assert.equal((await client.create('/catalog/products', '{')).status, 422);
    assert.equal((await client.create('/catalog/products', { sku: 'B' })).status, 429);
    assert.equal((await reader.client.create('/catalog/products', { sku: 'C' })).status, 403);
    await apps.sql('alter table stock_locations rename to locations_away');
    assert.equal((await client.get('/catalog/stock/locations')).status, 500);
    await apps.sql('alter table locations_away rename to stock_locations');
    assert.equal((await client.get('/catalog/stock/locations')).status, 200);

    const usage = await usageOf(`/brands/${brandId}/key-usage`);
    assert.deepEqual(usage.filter(({ key_id }) => key_id === keyId).map(countsOf), [
      ['createProduct', 'catalog.products:write', 5, 1, 3, 0],
      ['getCatalogStatus', null, 1, 0, 0, 0],
      ['getProduct', 'catalog.products:read', 1, 0, 1, 0],
      ['listProducts', 'catalog.products:read', 4, 0, 0, 0],
      ['listStockLocations', 'catalog.stock:read', 2, 0, 0, 1],
    ]);
    const ofReader = await usageOf(`/keys/${reader.keyId}/usage`);
    assert.deepEqual(ofReader.map(countsOf), [['createProduct', 'catalog.products:write', 1, 0, 1, 0]]);
    assert.equal(usage.length, 6);
  });

  it('have the scope by which the key may call the operation', async () => {
    const { brandId } = await apps.newBrand();
    for (const scopes of [
      ['catalog.stock:ingest'],
      ['catalog.stock:ingest', 'catalog.stock:read'],
    ] as const) {
      const { keyId, client } = await apps.newKey(brandId, scopes);
      assert.equal((await client.get('/catalog/stock/feeds/unknown')).status, 404);
      const [row] = await usageOf(`/keys/${keyId}/usage`);
      assert.equal(row?.scope, scopes.length === 1 ? 'catalog.stock:ingest' : 'catalog.stock:read');
    }
  });

  it('leave out feed tokens and paths without an operation', async () => {
    const { brandId, client } = await apps.newBrand();
    const { json: token } = await admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' });
    const answer = await apps.clientApp.inject({
      method: 'POST',
      url: '/v1/catalog/stock/feeds',
      payload: {},
      headers: { authorization: `Bearer ${token.token}` },
    });
    assert.equal(answer.statusCode, 422, answer.body);
    assert.equal((await client.get('/catalog/nothing')).status, 404);
    assert.deepEqual(await usageOf(`/brands/${brandId}/key-usage`), []);
  });

  // [internal-208]
  it('include keys that are expired or revoked, as refused, and nothing with a wrong secret or a deleted key', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const expiry = new Date(clock.now() + 60_000).toISOString();
    const expiring = await apps.newKey(brandId, ['catalog.products:read'], { expires_at: expiry });
    clock.advance(60_000);
    assert.equal((await expiring.client.get('/catalog/products')).status, 401);
    assert.deepEqual((await usageOf(`/keys/${expiring.keyId}/usage`)).map(countsOf), [
      ['listProducts', 'catalog.products:read', 1, 0, 1, 0],
    ]);
    assert.equal((await apps.clientWith(`${keyId}.${'a'.repeat(40)}`).get('/catalog/status')).status, 401);
    await admin.post(`/keys/${keyId}/revoke`);
    for (let i = 0; i < 3; i += 1) assert.equal((await client.get('/catalog/status')).status, 401);
    assert.deepEqual((await usageOf(`/keys/${keyId}/usage`)).map(countsOf), [
      ['getCatalogStatus', null, 3, 0, 3, 0],
    ]);
    assert.equal((await admin.delete(`/keys/${keyId}`)).status, 204);
    for (let i = 0; i < 3; i += 1) assert.equal((await client.get('/catalog/status')).status, 401);
    const ofBrand = await usageOf(`/brands/${brandId}/key-usage`);
    assert.deepEqual(ofBrand.filter(({ key_id }) => key_id === keyId).map(countsOf), [
      ['getCatalogStatus', null, 3, 0, 3, 0],
    ]);
  });

  it('add up over several records', async () => {
    const { brandId, client } = await apps.newBrand();
    for (let i = 0; i < 3; i += 1) {
      await client.get('/catalog/status');
      await keyUsage.flush();
    }
    const usage = await usageOf(`/brands/${brandId}/key-usage?step=day`);
    assert.equal(
      usage.reduce((sum, { requests }) => sum + requests, 0),
      3,
    );
  });

  it('of a deleted key stay with the brand, while the key is unknown', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    await client.get('/catalog/status');
    assert.equal((await admin.delete(`/keys/${keyId}`)).status, 204);
    const usage = await usageOf(`/brands/${brandId}/key-usage`);
    assert.deepEqual(
      usage.map(({ key_id, requests }) => [key_id, requests]),
      [[keyId, 1]],
    );
    assert.equal((await admin.get(`/keys/${keyId}/usage`)).status, 404);
  });
});

// [internal-76]
describe('the list of counts', () => {
  it('has hours and days in UTC, over midnight and the end of a month', async () => {
    moveToMonthEnd();
    const { brandId, keyId, client } = await apps.newBrand();
    const other = await apps.newKey(brandId);
    const lastHour = new Date(Math.floor(clock.now() / 3_600_000) * 3_600_000).toISOString();
    clock.advance(-3_600_000);
    await client.get('/catalog/status');
    clock.advance(3_600_000);
    await client.get('/catalog/status');
    clock.advance(900_000);
    await client.get('/catalog/status');
    await other.client.get('/catalog/status');
    const midnight = new Date(Date.parse(lastHour) + 3_600_000).toISOString();
    const hourBefore = new Date(Date.parse(lastHour) - 3_600_000).toISOString();
    assert.match(lastHour, /T23:00:00.000Z$/);
    assert.match(midnight, /-01T00:00:00.000Z$/);
    const [yesterday, today] = [lastHour.slice(0, 10), midnight.slice(0, 10)];

    const path = `/brands/${brandId}/key-usage`;
    const listed = async (query: string) =>
      (await usageOf(`${path}?${query}`)).map(({ at, key_id, requests }) => [
        ...[at, key_id === keyId ? 'first' : 'other', requests],
      ]);
    const bothAtMidnight = [
      [midnight, 'first', 1],
      [midnight, 'other', 1],
    ];
    if (keyId > other.keyId) bothAtMidnight.reverse();
    const before = [
      [lastHour, 'first', 1],
      [hourBefore, 'first', 1],
    ];
    assert.deepEqual(await listed(''), [...bothAtMidnight, ...before]);
    assert.deepEqual(await listed('step=hour'), [...bothAtMidnight, ...before]);
    const days = await listed('step=day');
    assert.deepEqual(days, [...bothAtMidnight, [`${yesterday}T00:00:00.000Z`, 'first', 2]]);

    assert.deepEqual(await listed(`to=${yesterday}`), before);
    assert.deepEqual(await listed(`from=${today}`), bothAtMidnight);
    assert.deepEqual(await listed(`from=${yesterday}&to=${yesterday}&step=day`), [days[2]]);
    // Instants select the steps that contain them.
    assert.deepEqual(await listed(`from=${yesterday}T22:59:59Z&to=${yesterday}T23:00:00Z`), before);
    assert.deepEqual(await listed(`from=${yesterday}T23:59:59Z&to=${yesterday}T23:59:59Z&step=hour`), [
      before[0],
    ]);
    assert.deepEqual(await listed(`from=${yesterday}T23:59:59Z&to=${yesterday}T23:59:59Z&step=day`), [
      days[2],
    ]);
    const inBerlin = encodeURIComponent(`${today}T00:30:00+01:00`);
    assert.deepEqual(await listed(`from=${inBerlin}&to=${inBerlin}`), [before[0]]);

    const ofOther = await usageOf(`/keys/${other.keyId}/usage?step=day`);
    assert.deepEqual(
      ofOther.map(({ at, key_id, requests }) => [at, key_id, requests]),
      [[`${today}T00:00:00.000Z`, other.keyId, 1]],
    );
  });

  it('comes in pages, with the exact number of rows', async () => {
    const { brandId, keyId } = await apps.newBrand();
    await apps.sql(
      `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
       select $1, date_trunc('hour', $3::timestamptz) - n / 2 * interval '1 hour', $2, 'op' || n % 2, n, 0, 0, 0
       from generate_series(1, 250) n`,
      [brandId, keyId, new Date(clock.now())],
    );
    const read = async (query: string) => (await admin.get(`/brands/${brandId}/key-usage?${query}`)).json;
    const first = await read('per_page=100');
    assert.deepEqual(first.meta, { current_page: 1, per_page: 100, total: 250, last_page: 3 });
    const pages = [first, await read('per_page=100&page=2'), await read('per_page=100&page=3')];
    const rows: Usage[] = pages.flatMap(({ data }) => data);
    assert.equal(new Set(rows.map(({ at, operation }) => `${at} ${operation}`)).size, 250);
    assert.deepEqual(
      rows,
      rows.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.operation < b.operation ? -1 : 1)),
    );
    const days = await read('step=day&per_page=200');
    const sum = (list: Usage[]) => list.reduce((total, { requests }) => total + requests, 0);
    assert.equal(days.meta.total, days.data.length);
    assert.equal(sum(days.data), sum(rows));
  });

  it('begins 30 days ago, or before `to`, unless told otherwise', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const insert = (daysAgo: number) =>
      apps.sql(
        `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
         values ($1, date_trunc('hour', $3::timestamptz), $2, 'op', 1, 0, 0, 0)`,
        [brandId, keyId, new Date(clock.now() - daysAgo * 86_400_000)],
      );
    for (const daysAgo of [1, 29, 31, 50]) await insert(daysAgo);
    const count = async (query: string) => (await usageOf(`/brands/${brandId}/key-usage?${query}`)).length;
    assert.equal(await count(''), 2);
    const day = (daysAgo: number) => new Date(clock.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    assert.equal(await count(`to=${day(31)}`), 2);
    assert.equal(await count(`from=${day(400)}`), 4);
    assert.equal(await count('from=0001-01-01&to=9999-12-31'), 4);
    assert.equal(await count('to=0001-01-01'), 0);
  });

  it('refuses ranges and steps that are invalid, with the name of the parameter', async () => {
    const { brandId, keyId } = await apps.newBrand();
    for (const path of [`/brands/${brandId}/key-usage`, `/keys/${keyId}/usage`])
      for (const [query, field] of [
        ['from=2026-03-02&to=2026-03-01', 'from'],
        ['from=2026-03-01T10:00:01Z&to=2026-03-01T10:00:00Z', 'from'],
        ['from=yesterday', 'from'],
        ['from=2026-02-30', 'from'],
        ['to=2026-03-01T10:00:00', 'to'],
        ['to=', 'to'],
        ['step=week', 'step'],
        ['step=', 'step'],
        ['page=0', 'page'],
      ] as const) {
        const { status, json } = await admin.get(`${path}?${query}`);
        assert.equal(status, 422, `${path}?${query}`);
        assert.deepEqual(Object.keys(json.errors), [field]);
      }
  });

  it('is 404 for an unknown brand and an unknown key', async () => {
    for (const path of [
      '/brands/999999/key-usage',
      '/brands/x/key-usage',
      `/keys/tuk_${'0'.repeat(24)}/usage`,
      '/keys/x/usage',
    ])
      assert.equal((await admin.get(path)).status, 404, path);
  });
});
