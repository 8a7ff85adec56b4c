import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { statementsOf } from '../../../test/support/statements-of.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());

const empty = {
  products: 0,
  active_keys: 0,
  last_request_at: null,
  oldest_feed_at: null,
  latest_date: null,
  failed_lines_24h: 0,
};

describe('the summary of a brand', () => {
  // [internal-119] [internal-201]
  it('has the figures of the brand, alone and in the list', async () => {
    const brand = await newSeededBrand(apps, { users: ['a'] });
    const { brandId, client } = brand;
    for (const sku of ['A', 'B']) await ok(client.create('/catalog/products', { sku }), 201);
    const more = await apps.newKey(brandId);
    assert.equal((await apps.admin.post(`/keys/${more.keyId}/revoke`)).status, 200);
    await apps.newKey(brandId);
    await brand.aggregate({ from: yesterday, to: yesterday });
    const line = { sku: 'A', location_code: 'L', quantity: 1 };
    await sendFeed(client, [line], 'first');
    await sendFeed(client, [line], 'second');
    await apps.keyUsage.flush();
    const { data: feeds } = await ok(apps.admin.get(`/brands/${brandId}/feeds`));
    const { figures: summary, ...rest } = await ok(apps.admin.get(`/brands/${brandId}`));
    assert.equal('summary' in rest, false);
    assert.ok(Math.abs(Date.parse(summary.last_request_at) - apps.clock.now()) < 600_000);
    assert.deepEqual(summary, {
      products: 2,
      active_keys: 2,
      last_request_at: summary.last_request_at,
      oldest_feed_at: feeds.at(-1).received_at,
      latest_date: yesterday,
      failed_lines_24h: 0,
    });
    // The current hour, those at both ends of the line, and one before them.
    for (const [back, requests] of [
      [0, 5],
      [1, 7],
      [24, 9],
      [25, 11],
    ])
      await apps.sql(
        `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
         values ($1, date_trunc('hour', $2::timestamptz, 'UTC') - make_interval(hours => $3), $4, 'getStatus', $5, 0, 0, 0)`,
        [brandId, new Date(apps.clock.now()), back, more.keyId, requests],
      );
    const { data } = await ok(apps.admin.get('/brands?include=summary&per_page=200'));
    const listed = data.find(({ id }: { id: number }) => id === brandId);
    assert.deepEqual(listed.summary, summary);
    assert.deepEqual(listed.hourly_requests, [9, ...Array(22).fill(0), 7]);
  });

  it('of a new brand is empty, and is left out of the list unless it is asked for', async () => {
    const { json: brand } = await apps.admin.post('/brands', { name: 'New' });
    assert.deepEqual(await ok(apps.admin.get(`/brands/${brand.id}`)), {
      ...brand,
      figures: empty,
    });
    const { data } = await ok(apps.admin.get('/brands?per_page=200'));
    assert.deepEqual(
      data.find(({ id }: { id: number }) => id === brand.id),
      { ...brand, requests_24h: 0, refused_24h: 0, denied_24h: 0, failed_lines_24h: 0 },
    );
  });

  it('needs the same number of statements for many brands as for one', async () => {
    const count = (path: string) => statementsOf(apps.context.database, () => ok(apps.admin.get(path)));
    for (const name of ['1', '2', '3']) await apps.admin.post('/brands', { name });
    assert.deepEqual(
      await count('/brands?include=summary&per_page=200'),
      await count('/brands?include=summary&per_page=1'),
    );
  });

  for (const id of ['999999', '0', 'x'])
    it(`of the brand ${id} is 404`, async () =>
      assertRefused(await apps.admin.get(`/brands/${id}`), 'not_found'));
});

// [internal-118]
describe('the search of brands', async () => {
  const names = ['Éclair & Fils', 'ÉCLAIRAGE', 'Ζωή 100%', 'a_b\\c', "O'Neill"];
  for (const name of names) await apps.admin.post('/brands', { name });
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['éclair', ['Éclair & Fils', 'ÉCLAIRAGE']],
    ['FILS', ['Éclair & Fils']],
    ['ΖΩΉ', ['Ζωή 100%']],
    ['0%', ['Ζωή 100%']],
    ['a_b\\', ['a_b\\c']],
    ["o'n", ["O'Neill"]],
    ['%', ['Ζωή 100%']],
    ['no such brand', []],
  ];
  for (const [search, found] of cases)
    it(`finds ${JSON.stringify(search)} anywhere in a name, in any case`, async () => {
      const { data, meta } = await ok(apps.admin.get(`/brands?search=${encodeURIComponent(search)}`));
      assert.deepEqual([data.map(({ name }: { name: string }) => name), meta.total], [found, found.length]);
    });

  it('finds all brands without text', async () => {
    const all = await ok(apps.admin.get('/brands'));
    assert.equal((await ok(apps.admin.get('/brands?search='))).meta.total, all.meta.total);
  });

  for (const [query, field] of [
    ['search=%00', 'search'],
    ['include=everything', 'include'],
    ['include=', 'include'],
  ] as const)
    it(`rejects ${query}`, async () =>
      assertRefused(await apps.admin.get(`/brands?${query}`), 'validation_failed', [field]));
});

it('the summary leaves out the last day while the analytics store is unavailable', async () => {
  const away = await createTestApps({
    analyticsAddress: { url: 'postgres://nobody@127.0.0.1:1/none' },
  });
  const { brandId } = await away.newBrand();
  const { figures } = await ok(away.admin.get(`/brands/${brandId}`));
  assert.deepEqual({ ...figures, active_keys: 0 }, empty);
  const { data } = await ok(away.admin.get('/brands?include=summary'));
  assert.equal(data[0].summary.latest_date, null);
});

// [internal-201]
describe('the order of brands', () => {
  it('is by the requests, refusals and failed lines of the last 24 hours, or by name', async () => {
    const [quiet, busy] = [
      await apps.newBrand({ name: 'order b' }),
      await apps.newBrand({ name: 'Order A' }),
    ];
    for (const sku of ['none', 'nothing']) await busy.client.get(`/catalog/products/${sku}`);
    await ok(quiet.client.get('/catalog/products'));
    await sendFeed(quiet.client, [{ sku: 'unknown', location_code: 'L', quantity: 1 }]);
    await apps.sql(
      `update stock_feeds set status = 'completed', next_line = 1, finished_at = now(), totals = '{"unknown_sku": 1}'
       where brand_id = $1`,
      [quiet.brandId],
    );
    await apps.sql(
      `insert into open_feed_lines select brand_id, 'NONE', 'L', id, 0, now() from stock_feeds where brand_id = $1`,
      [quiet.brandId],
    );
    await apps.keyUsage.flush();
    const names = async (sort: string) =>
      (await ok(apps.admin.get(`/brands?q=order&sort=${sort}`))).data.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names('name'), ['Order A', 'order b']);
    assert.deepEqual(await names('-refused_24h'), ['Order A', 'order b']);
    assert.deepEqual(await names('-failed_lines_24h'), ['order b', 'Order A']);
    const { data } = await ok(apps.admin.get(`/brands?q=${busy.brandId}`));
    const found = data.find(({ id }: { id: number }) => id === busy.brandId);
    assert.deepEqual([found.requests_24h, found.refused_24h, found.failed_lines_24h], [2, 2, 0]);
    await apps.sql(
      `update api_key_usage set requests = requests + 3, denied = 3 where brand_id = $1 and operation = 'listProducts'`,
      [quiet.brandId],
    );
    assert.deepEqual(await names('-denied_24h'), ['order b', 'Order A']);
    const { data: denied } = await ok(apps.admin.get(`/brands?q=${quiet.brandId}`));
    assert.deepEqual(
      denied.filter(({ id }: { id: number }) => id === quiet.brandId).map((one: never) => one['denied_24h']),
      [3],
    );
  });
});
