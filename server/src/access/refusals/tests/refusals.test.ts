import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { logLines } from '../../../../test/support/log-capture.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { newAdministrator } from '../../administrators/tests/new-administrator.ts';
import type { RefusalWire } from '../refusal-operations.ts';

type Refused = Static<typeof RefusalWire>;

const apps = await createTestApps({ limits: { catalog_key_writes: 6 } });
const { admin, clock, keyUsage, clientApp } = apps;

// The next full minute: refusals of a test share a minute unless the test moves the clock.
clock.advance(60_000 - (clock.now() % 60_000));

async function refusalsOf(brandId: number, query = '') {
  await keyUsage.flush();
  return (await ok(admin.get(`/brands/${brandId}/refusals?${query}`))).data;
}

const id = (requestId: string) => ({ 'x-request-id': requestId, 'idempotency-key': requestId });

// [internal-181]
describe('a refused request of a key', () => {
  it('is kept with its operation, status, code and the names of the fields at fault, and found by its id', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const body = { title: 7, price: { value: 'secret-value' } };
    const { status } = await client.post('/catalog/products?q=hidden', body, id('refused-422'));
    assert.equal(status, 422);
    const [row, ...others] = await refusalsOf(brandId);
    assert.deepEqual(others, []);
    const { at, fields, errors, address, key_scopes, brand_name, ...rest } = row;
    assert.deepEqual(rest, {
      brand_id: brandId,
      request_id: 'refused-422',
      key_id: keyId,
      key_name: 'Test key',
      message: 'The request is not valid.',
      required_scopes: [],
      operation: 'createProduct',
      method: 'POST',
      path: '/v1/client/catalog/products',
      status: 422,
      code: 'validation_failed',
      reason: null,
      count: 1,
    });
    assert.ok(clock.now() - Date.parse(at) < 5_000);
    assert.equal(address, '127.0.0.1');
    assert.ok(fields.includes('title') && fields.includes('sku'), fields);
    assert.deepEqual([errors.title, errors.sku], [['must be a string'], ['is required']]);
    assert.ok(key_scopes.length > 2 && brand_name !== '');
    assert.ok(!JSON.stringify(row).includes('secret-value') && !JSON.stringify(row).includes('hidden'));
    const { entries } = await ok(admin.get('/requests/refused-422'));
    assert.deepEqual(entries, [{ kind: 'refusal', brand_id: brandId, ...row }]);
  });

  it('is found for every 4xx and 5xx of an operation; reads and clients that left are not kept', async () => {
    const { brandId, client } = await apps.newBrand();
    const reader = await apps.newKey(brandId, ['catalog.products:read']);
    await ok(client.create('/catalog/products', { sku: 'A' }), 201);
    await client.post('/catalog/products', { sku: 'A' }, id('x-409'));
    await client.post('/catalog/products', '{', id('x-422'));
    await client.get('/catalog/products/none', id('x-404'));
    await client.get('/catalog/nothing', id('x-unrouted'));
    await client.get('/catalog/products/%zz', id('x-unroutable'));
    await client.get(`/catalog/products/${'x'.repeat(600)}`, id('x-long'));
    await client.put('/catalog/status', {}, id('x-405'));
    await reader.client.post('/catalog/products', { sku: 'B' }, id('x-403'));
    await apps.sql('alter table stock_locations rename to locations_away');
    await client.get('/catalog/stock/locations', id('x-500'));
    await apps.sql('alter table locations_away rename to stock_locations');
    const rows: Refused[] = await refusalsOf(brandId);
    const scopes = rows.find(({ status }) => status === 403);
    assert.deepEqual(scopes?.required_scopes, ['catalog.products:write']);
    assert.deepEqual(scopes?.key_scopes, ['catalog.products:read']);
    const found = rows.map((row: Refused) => [row.request_id, row.status, row.code, row.operation]);
    assert.deepEqual(found.toSorted(), [
      ['x-403', 403, 'insufficient_scope', 'createProduct'],
      ['x-404', 404, 'not_found', 'getProduct'],
      ['x-409', 409, 'duplicate_sku', 'createProduct'],
      ['x-422', 422, 'validation_failed', 'createProduct'],
      ['x-500', 500, 'server_error', 'listStockLocations'],
    ]);
  });

  it('of a key that is revoked or expired has the reason; one row a minute counts them', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const expiry = new Date(clock.now() + 60_000).toISOString();
    const expiring = await apps.newKey(brandId, ['catalog.products:read'], { expires_at: expiry });
    clock.advance(60_000);
    assert.equal((await expiring.client.get('/catalog/products', id('first'))).status, 401);
    for (let n = 0; n < 4; n += 1) {
      assert.equal((await expiring.client.get('/catalog/status')).status, 401);
      if (n === 1) await keyUsage.flush();
    }
    clock.advance(60_000);
    await admin.post(`/keys/${keyId}/revoke`);
    await client.get('/catalog/status');
    await keyUsage.flush();
    const shown = await ok(admin.get(`/keys/${keyId}`));
    assert.ok(clock.now() - Date.parse(shown.last_refused_at) < 5_000);
    assert.equal(shown.last_refused_code, 'unauthenticated');
    clock.advance(60_000);
    await admin.delete(`/keys/${keyId}`);
    for (let n = 0; n < 3; n += 1) await client.get('/catalog/status');
    const never = apps.clientWith(`tuk_${'0'.repeat(24)}.${'a'.repeat(40)}`);
    assert.equal((await never.get('/catalog/status', id('never-a-key'))).status, 401);
    const rows = await refusalsOf(brandId);
    assert.deepEqual(
      rows.map((row: Refused) => [row.reason, row.count]),
      [
        ['revoked', 1],
        ['expired', 5],
      ],
    );
    assert.equal(rows[1].request_id, 'first');
    assertRefused(await admin.get('/requests/never-a-key'), 'not_found');
  });

  // [internal-208] [D293]
  it('without the secret of the key, or on a path without an operation, changes nothing of the key', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    clock.advance(60_000);
    const start = clock.now();
    keyUsage.refuseUnverified({ at: clock.now(), address: '192.0.2.1', reason: 'unknown' });
    logLines.take();
    const stranger = apps.clientWith(`${keyId}.${'A'.repeat(40)}`);
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await stranger.get(`/catalog/made-up-${n}`)).status, 404);
      assert.equal((await stranger.get('/catalog/products')).status, 401);
    }
    assert.equal((await stranger.put('/catalog/status', {})).status, 405);
    assert.equal((await apps.clientWith(`tuk_${'0'.repeat(24)}.x`).get('/catalog/status')).status, 401);
    assert.equal((await client.get('/catalog/made-up')).status, 404);
    assert.deepEqual(await refusalsOf(brandId), []);
    const key = await ok(admin.get(`/keys/${keyId}`));
    assert.deepEqual([key.last_refused_at, key.last_refused_code, key.last_used_at], [null, null, null]);
    assert.deepEqual(await ok(admin.get(`/keys/${keyId}/usage`)).then(({ data }) => data), []);
    // The next minute tells the counts of this one.
    clock.advance(60_000);
    await stranger.get('/catalog/products');
    const told = logLines
      .take()
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'requests without a valid key refused');
    assert.deepEqual(told.map(({ network, reason, count }) => [network, reason, count]).sort(), [
      ['127.0.0.1', 'malformed', 1],
      ['127.0.0.1', 'not_looked_up', 5],
      ['127.0.0.1', 'wrong_secret', 3],
      ['192.0.2.1', 'unknown', 1],
    ]);
    await keyUsage.flush();
    const minute = new Date(Math.floor(start / 60_000) * 60_000).toISOString();
    const { data } = await ok(admin.get(`/refusals/unverified?network=127.0.0.1&from=${minute}`));
    assert.deepEqual(
      data.map((row: { minute: string; reason: string; count: number }) => [
        row.minute,
        row.reason,
        row.count,
      ]),
      [
        ['wrong_secret', 3],
        ['not_looked_up', 5],
        ['malformed', 1],
      ].map((row) => [minute, ...row]),
    );
    assert.deepEqual(
      (await ok(admin.get(`/refusals/unverified?reason=unknown&from=${minute}`))).data.map(
        ({ network }: { network: string }) => network,
      ),
      ['192.0.2.1'],
    );
  });

  it('with 429 shares the row of its minute', async () => {
    const { brandId, client } = await apps.newBrand();
    for (let n = 0; n < 6; n += 1) await ok(client.create('/catalog/products', { sku: `S${n}` }), 201);
    for (let n = 0; n < 5; n += 1)
      assert.equal((await client.create('/catalog/products', { sku: 'X' })).status, 429);
    const rows = await refusalsOf(brandId);
    assert.deepEqual(
      rows.map((row: Refused) => [row.status, row.code, row.count]),
      [[429, 'rate_limited', 5]],
    );
  });

  it('does not store a secret that is in its path', async () => {
    const { brandId, client } = await apps.newBrand();
    const secret = `tuk_${'ab'.repeat(12)}.${'s'.repeat(40)}`;
    await client.get(`/catalog/products/${secret}`);
    const [row] = await refusalsOf(brandId);
    assert.equal(row.path, `/v1/client/catalog/products/tuk_${'ab'.repeat(12)}.…`);
  });

  it('of a feed token is not kept', async () => {
    const { brandId } = await apps.newBrand();
    const { token } = await ok(admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' }), 201);
    const { statusCode } = await clientApp.inject({
      method: 'POST',
      url: '/v1/catalog/stock/feeds',
      payload: {},
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(statusCode, 422);
    assert.deepEqual(await refusalsOf(brandId), []);
  });
});

// [internal-181]
describe('the list of refusals', async () => {
  const { brandId, keyId, client } = await apps.newBrand();
  const other = await apps.newKey(brandId);
  for (let n = 0; n < 3; n += 1) {
    await client.get(`/catalog/products/none-${n}`);
    clock.advance(1_000);
  }
  await other.client.patch('/catalog/products/none', { title: 'x' });

  it('is filtered by key, status, code, operation and time, in pages, newest first', async () => {
    const count = async (query: string) => (await refusalsOf(brandId, query)).length;
    assert.equal(await count(''), 4);
    assert.equal(await count(`key_id=${keyId}`), 3);
    assert.equal(await count('status=404'), 4);
    assert.equal(await count('status=422'), 0);
    assert.equal(await count('code=not_found&operation=updateProduct'), 1);
    const [, , second] = await refusalsOf(brandId);
    assert.equal(await count(`from=${second.at}`), 3);
    assert.equal(await count(`to=${second.at}`), 2);
    const { data, meta } = await ok(
      admin.get(`/brands/${brandId}/refusals?per_page=2&page=2&key_id=${keyId}`),
    );
    assert.deepEqual(meta, { current_page: 2, per_page: 2, total: 3, last_page: 2 });
    assert.equal(data[0].path, '/v1/client/catalog/products/none-0');
  });

  it('is filtered by a class of status, also with equal ones as one row', async () => {
    const { brandId: failing, client: caller } = await apps.newBrand();
    for (const name of ['one', 'two'])
      await caller.get(`/catalog/products/none-${name}`, id(`class-${name}`));
    await keyUsage.flush();
    await apps.sql(`update refusals set status = 503 where request_id = 'class-two'`);
    const statuses = async (query: string) =>
      (await refusalsOf(failing, query)).map((row: Refused) => row.status);
    assert.deepEqual(await statuses('status_class=4xx'), [404]);
    assert.deepEqual(await statuses('status_class=5xx'), [503]);
    assert.deepEqual(await statuses('status_class=5xx&status=404'), []);
    assert.deepEqual(await statuses('status_class=5xx&group=true'), [503]);
    const all = await ok(admin.get(`/refusals?status_class=5xx&brand_id=${failing}`));
    assert.equal(all.meta.total, 1);
  });

  it('refuses invalid filters, and shows callers the refusals of their brands only', async () => {
    for (const [query, field] of [
      ['status=200', 'status'],
      ['status=x', 'status'],
      ['status_class=3xx', 'status_class'],
      ['from=2026-03-02&to=2026-03-01', 'from'],
      ['to=yesterday', 'to'],
      ['page=0', 'page'],
    ] as const) {
      const { status, json } = await admin.get(`/brands/${brandId}/refusals?${query}`);
      assert.deepEqual([status, Object.keys(json.errors)], [422, [field]]);
    }
    const { brandId: foreign } = await apps.newBrand();
    const support = await newAdministrator(apps, 'support', [foreign]);
    assertRefused(await support.client.get(`/brands/${brandId}/refusals`), 'not_found');
    await ok(support.client.get(`/brands/${foreign}/refusals`));
    assertRefused(await admin.get('/brands/999999/refusals'), 'not_found');
    await client.get('/catalog/products/hidden', id('of-another-brand'));
    await keyUsage.flush();
    await ok(admin.get('/requests/of-another-brand'));
    assertRefused(await support.client.get('/requests/of-another-brand'), 'not_found');
  });
});

// [internal-210]
describe('equal refusals', () => {
  it('are one row with their number, first and last, by key, operation, status, code and fields', async () => {
    const [one, two] = [await apps.newBrand(), await apps.newBrand()];
    const other = await apps.newKey(one.brandId, ['catalog.products:read']);
    const wrong = async (client: typeof one.client, requestId: string, body: object) => {
      await client.post('/catalog/products', body, id(requestId));
      clock.advance(1_000);
    };
    const begin = clock.now();
    for (const n of [1, 2, 3]) await wrong(one.client, `group-${n}`, { sku: 7 });
    await wrong(one.client, 'group-fields', { title: 7 });
    await wrong(other.client, 'group-key', { sku: 7 });
    await wrong(two.client, 'group-brand', { sku: 7 });
    await wrong(one.client, 'group-4', { sku: 7 });
    for (const n of [1, 2]) await one.client.get(`/catalog/products/none-${n}`, id(`group-404-${n}`));
    await keyUsage.flush();
    const groups = async (query: string) => (await ok(admin.get(`/refusals?group=true&${query}`))).data;
    const rows = await groups(`brand_id=${one.brandId}`);
    assert.deepEqual(
      rows.map((row: Refused) => [row.request_id, row.status, row.count]),
      [
        ['group-404-2', 404, 2],
        ['group-4', 422, 4],
        ['group-key', 403, 1],
        ['group-fields', 422, 1],
      ],
    );
    const { at, first_at, last_at } = rows[1];
    assert.ok(Math.abs(Date.parse(first_at) - begin) < 1_000);
    assert.equal(at, last_at);
    assert.ok(last_at > first_at);
    const all = await groups(`from=${new Date(begin).toISOString()}&per_page=2&page=2`);
    assert.deepEqual(
      all.map((row: Refused) => row.request_id),
      ['group-brand', 'group-key'],
    );
    const own = await ok(admin.get(`/brands/${one.brandId}/refusals?group=true&status=422&per_page=1`));
    assert.deepEqual([own.data.length, own.meta.total], [1, 2]);
    const single = await ok(admin.get(`/brands/${one.brandId}/refusals?status=422`));
    assert.deepEqual([single.meta.total, 'first_at' in single.data[0]], [5, false]);
    const operator = await newAdministrator(apps, 'operator', [two.brandId]);
    const seen = (await ok(operator.client.get('/refusals?group=true'))).data;
    assert.deepEqual(
      seen.map((row: Refused) => [row.request_id, row.count]),
      [['group-brand', 1]],
    );
  });

  it('keep the requests of rows that a minute shares', async () => {
    const { brandId, client } = await apps.newBrand();
    for (let n = 0; n < 16; n += 1) await client.post('/catalog/products', {}, id(`many-${n}`));
    clock.advance(60_000);
    for (let n = 0; n < 8; n += 1) await client.post('/catalog/products', {}, id(`more-${n}`));
    await keyUsage.flush();
    const { data } = await ok(admin.get(`/brands/${brandId}/refusals?group=true&status=429`));
    const counted = await ok(admin.get(`/brands/${brandId}/refusals?status=429`));
    const sum = counted.data.reduce((requests: number, { count }: Refused) => requests + count, 0);
    assert.deepEqual([data.length, data[0].count], [1, sum]);
    assert.ok(counted.data.length > 1, 'several minutes');
  });
});

// [internal-200]
describe('the refusals of all brands', () => {
  it('are those of the brands of the caller, by brand, request and status', async () => {
    const [one, two] = [await apps.newBrand({ name: 'One' }), await apps.newBrand({ name: 'Two' })];
    await one.client.get('/catalog/products/none', id('all-1'));
    clock.advance(1);
    await two.client.get('/catalog/products/none', id('all-2'));
    clock.advance(1);
    await two.client.post('/catalog/products', {}, id('all-3'));
    await keyUsage.flush();
    const found = async (query: string, by = admin) =>
      (await ok(by.get(`/refusals?${query}`))).data.map((row: Refused) => [row.request_id, row.brand_name]);
    assert.deepEqual((await found('')).slice(0, 3), [
      ['all-3', 'Two'],
      ['all-2', 'Two'],
      ['all-1', 'One'],
    ]);
    assert.deepEqual(await found(`brand_id=${one.brandId}`), [['all-1', 'One']]);
    assert.deepEqual(await found('request_id=all-2'), [['all-2', 'Two']]);
    const operator = await newAdministrator(apps, 'operator', [two.brandId]);
    assert.deepEqual(await found('', operator.client), [
      ['all-3', 'Two'],
      ['all-2', 'Two'],
    ]);
    assert.deepEqual(await found('request_id=all-1', operator.client), []);
  });
});
