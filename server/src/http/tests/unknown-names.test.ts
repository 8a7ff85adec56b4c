import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../test/support/api-client.ts';
import { assertRefused, counterAt, writtenSoFar } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client, brandId, keyId } = await apps.newBrand();
const products = '/catalog/products';
const { json: product } = await client.create(products, { sku: 'TRAP' });
const path = `${products}/${product.tu_id}`;
const strict = { prefer: 'handling=strict' };

const ignoredBy = (operation: string) =>
  counterAt(apps.metrics, 'brandport_ignored_fields_total', { operation });

// [platform-25]
describe('what an operation does not know', () => {
  const traps: [
    what: string,
    send: (headers: Record<string, string>) => ReturnType<ApiClient['get']>,
    ignored: string,
    meant: string,
  ][] = [
    [
      'location_code in an adjustment',
      (headers) =>
        client.post(
          `${path}/stock/adjust`,
          { quantity: 7, location_code: 'WH-1' },
          { 'idempotency-key': 'a', ...headers },
        ),
      'body.location_code',
      'location',
    ],
    [
      'location_code in a list of levels',
      (headers) => client.get('/catalog/stock/levels?location_code=NOPE', headers),
      'query.location_code',
      'location',
    ],
    [
      'tittle in a change of a product',
      (headers) => client.patch(path, { tittle: 'x' }, headers),
      'body.tittle',
      'title',
    ],
    [
      'date_from in daily metrics',
      (headers) => client.get('/analytics/metrics/daily?date_from=2026-01-01', headers),
      'query.date_from',
      'from',
    ],
    [
      'updatedSince in a list of products',
      (headers) => client.get(`${products}?updatedSince=2026-01-01T00:00:00Z`, headers),
      'query.updatedSince',
      'updated_since',
    ],
  ];
  for (const [what, send, ignored, meant] of traps)
    it(`is refused under strict handling, with what was meant, and else listed: ${what}`, async () => {
      const before = await writtenSoFar(apps);
      const refused = await send(strict);
      const name = ignored.slice(ignored.indexOf('.') + 1);
      assertRefused(refused, 'validation_failed', [name]);
      assert.match(refused.json.errors[name][0], new RegExp(`; did you mean "${meant}"\\?$`));
      assert.equal(refused.headers['preference-applied'], 'handling=strict');
      assert.equal(refused.headers['x-ignored'], undefined);
      assert.deepEqual(await writtenSoFar(apps), before);
      const lenient = await send({});
      assert.equal(lenient.status, 200, lenient.text);
      assert.equal(lenient.headers['x-ignored'], ignored);
      assert.equal(lenient.headers['preference-applied'], undefined);
    });

  it('is not listed where there is none', async () => {
    for (const answer of [
      await client.get(`${products}?page=1&sku=TRAP`),
      await client.patch(path, { title: 'T' }),
      await client.get(products),
    ])
      assert.equal('x-ignored' in answer.headers, false);
  });

  it('is listed with its place: nested, of an object in an array, of a query together with a body', async () => {
    const answer = await client.put(`${path}/axes?dry=1&dry=2`, {
      axes: [{ code: 'nope', values: ['a'], label: 'x' }],
      a: 1,
    });
    assertRefused(answer, 'validation_failed', ['axes.0.code']);
    assert.equal(answer.headers['x-ignored'], 'body.axes.0.label, body.a, query.dry');
  });

  // [platform-29] [D64]
  it('is a dropped field neither listed nor refused, on creation', async () => {
    const body = { sku: 'DROPPED', stock_count: 7, stock_type: 'x' };
    const created = await client.post(products, body, { 'idempotency-key': 'dropped', ...strict });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers['preference-applied'], 'handling=strict');
    const again = await client.post(products, body, { 'idempotency-key': 'dropped' });
    assert.equal('x-ignored' in again.headers, false);
    assert.equal((await client.patch(path, { stock_count: 7 })).headers['x-ignored'], 'body.stock_count');
  });

  it('is listed without harm when it is hostile', async () => {
    const names = [
      '__proto__',
      'constructor',
      'a\r\nX-Evil: 1',
      'größe',
      'a, b',
      '\u0000',
      '',
      'x'.repeat(10_000),
    ];
    const body = `{${names.map((name) => `${JSON.stringify(name)}: {"a": 1}`).join(', ')}}`;
    const answer = await client.patch(path, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['x-evil'], undefined);
    assert.equal(
      answer.headers['x-ignored'],
      `body.__proto__, body.constructor, body.a%0D%0AX-Evil:%201, body.gr%C3%B6%C3%9Fe, body.a%2C%20b, body.%00, body., body.${'x'.repeat(64)}`,
    );
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]));
    const wide = await client.patch(path, many);
    assert.deepEqual([wide.status, wide.headers['x-ignored']?.split(', ').length], [200, 20]);
    const refused = await client.patch(path, many, strict);
    assert.deepEqual([refused.status, Object.keys(refused.json.errors).length], [422, 100]);
    const odd = await client.get(`${products}?__proto__=1&a%00b=1&=2&%F0%9F%98%80=3`);
    assert.equal(odd.status, 200);
    assert.match(odd.headers['x-ignored'] ?? '', /^query\.__proto__, query\.a%00b, query\., query\./);
  });
});

describe('the list of what was ignored', () => {
  // [platform-27]
  it('stands on every response to a request that was looked at', async () => {
    const listed = async (
      answer: Promise<{ status: number; headers: Readonly<Record<string, string>> }>,
      status: number,
    ) => {
      const { headers, ...rest } = await answer;
      assert.deepEqual([rest.status, headers['x-ignored']], [status, 'query.x']);
    };
    await listed(client.get(`${products}?x=1`), 200);
    await listed(client.head(`${products}?x=1`), 200);
    await listed(client.get(`${products}/${'a'.repeat(21)}?x=1`), 404);
    await listed(client.get(`${products}/none?x=1`), 404);
    await listed(client.get(`${products}?x=1&page=0`), 422);
    await listed(client.patch(`${path}?x=1`, '{'), 422);
    await listed(client.patch(`${path}?x=1`, '[]'), 422);
    await listed(client.post(`${products}?x=1`, { sku: 'TRAP' }, { 'idempotency-key': 'taken' }), 409);
    await listed(client.delete('/catalog/axes/none?x=1'), 404);
    await listed(client.get('/catalog/status?x=1'), 200);
    await listed(client.get('/analytics/metrics/contents?x=1&cursor=bad'), 400);
    await listed(apps.admin.get(`/brands/${brandId}?x=1`), 200);
    await listed(apps.admin.post(`/keys/${keyId}/rotate?x=1`, { expires_at: '2001-01-01T00:00:00Z' }), 422);
    const { headers } = await client.get(`${path}?x=1`);
    await listed(client.get(`${path}?x=1`, { 'if-none-match': headers['etag'] ?? '' }), 304);
  });

  // [platform-27]
  it('does not stand on a response to a request that was not', async () => {
    const anonymous = await apps.anonymous.get(`${products}?x=1`);
    const weak = await apps.newKey(brandId, ['catalog.stock:read']);
    const answers = [
      [anonymous, 401],
      [await weak.client.get(`${products}?x=1`), 403],
      [await client.put(`${products}?x=1`, {}), 405],
      [await client.get('/catalog/none?x=1'), 404],
      [await client.post(`${products}?x=1`, { sku: 'NO-KEY' }), 400],
    ] as const;
    for (const [{ status, headers }, expected] of answers) {
      assert.equal(status, expected);
      assert.deepEqual([headers['x-ignored'], headers['preference-applied']], [undefined, undefined]);
    }
  });

  it('is made from each request, not recorded with a response', async () => {
    const send = (query: string, headers: Record<string, string> = {}) =>
      client.post(
        `${products}${query}`,
        { sku: 'REPLAY', tittle: 'x' },
        { 'idempotency-key': 'replay', ...headers },
      );
    const first = await send('');
    assert.deepEqual([first.status, first.headers['x-ignored']], [201, 'body.tittle']);
    const again = await send('?y=1');
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.deepEqual(
      [again.headers['idempotency-replayed'], again.headers['x-ignored']],
      ['true', 'body.tittle, query.y'],
    );
    assertRefused(await send('', strict), 'validation_failed', ['tittle']);
    assert.equal((await send('')).text, first.text);
  });

  it('takes the fields of an operation that takes no body for unknown', async () => {
    const { keyId: spare } = await apps.newKey(brandId);
    const revoked = await apps.admin.post(`/keys/${spare}/revoke`, { reason: 'leak' });
    assert.deepEqual([revoked.status, revoked.headers['x-ignored']], [200, 'body.reason']);
    const answer = await apps.admin.post(`/keys/${spare}/revoke`, { reason: 'leak' }, strict);
    assertRefused(answer, 'validation_failed', ['reason']);
  });

  // [D64]
  it('leaves to the schema what the schema refuses by name', async () => {
    const answer = await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'u1', email: 'x' }] });
    assertRefused(answer, 'validation_failed', ['items.0.email']);
    assert.equal('x-ignored' in answer.headers, false);
    const prohibited = await client.post(
      `${path}/stock/adjust`,
      { quantity: 1, reserved: 1 },
      { 'idempotency-key': 'p' },
    );
    assertRefused(prohibited, 'validation_failed', ['reserved']);
    assert.equal('x-ignored' in prohibited.headers, false);
  });

  it('is counted by operation, once for each request', async () => {
    const before = await ignoredBy('listProducts');
    await client.get(`${products}?x=1&y=2`);
    await client.get(products);
    await client.get(`${products}?x=1`, strict);
    assert.equal(await ignoredBy('listProducts'), before + 1);
  });
});

// [platform-28]
describe('strict handling', () => {
  it('tells unknown names and what the schema finds at once, before existence', async () => {
    const answer = await client.patch(
      `${products}/${'a'.repeat(21)}?x=1`,
      { titel: 'x', price_value: -1, versions: { de: { name: 'a' } } },
      strict,
    );
    assertRefused(answer, 'validation_failed', ['price_value', 'titel', 'versions.de.name', 'x']);
    assert.deepEqual(answer.json.errors.x, ['is not a known query parameter']);
    assert.match(answer.json.errors.titel[0], /did you mean "title"/);
  });

  it('says that it was applied on every response to a request that was looked at', async () => {
    for (const [answer, status] of [
      [await client.get(products, strict), 200],
      [await client.get(`${products}/none`, strict), 404],
      [await client.patch(path, { title: null }, strict), 422],
      [await client.patch(path, '{', strict), 422],
      [await apps.admin.get('/brands', strict), 200],
    ] as const)
      assert.deepEqual([answer.status, answer.headers['preference-applied']], [status, 'handling=strict']);
    const lenient = await client.get(`${products}?x=1`, { prefer: 'handling=lenient, handling=strict' });
    assert.deepEqual([lenient.status, lenient.headers['preference-applied']], [200, undefined]);
  });
});
