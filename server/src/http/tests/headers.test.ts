import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../test/support/assert-refused.ts';
import { exchange, listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { apiKey } = await apps.newBrand();
const other = await apps.newBrand();
const port = await listenOn(apps.clientApp);
const internalPort = await listenOn(apps.internalApp);

const status = '/v1/client/catalog/status';
const products = '/v1/client/catalog/products';
const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const create = (...more: (readonly [string, string])[]) =>
  exchange(port, {
    method: 'POST',
    path: products,
    headers: [bearer(apiKey), ['Content-Type', 'application/json'], ...more],
    body: '{"sku": "HEADERS"}',
  });

describe('the Authorization header', () => {
  it('lets a request in once', async () => {
    assert.equal((await exchange(port, { path: status, headers: [bearer(apiKey)] })).status, 200);
  });

  // [platform-9]
  it('is refused when there are several, with any values', async () => {
    for (const headers of [
      [bearer(apiKey), bearer(apiKey)],
      [bearer(apiKey), bearer(other.apiKey)],
      [bearer(apiKey), ['authorization', '']],
      [['AUTHORIZATION', ''], bearer(apiKey)],
      [bearer(apiKey), ['Authorization', 'Basic eDp5']],
    ] as const)
      assertRefused(await exchange(port, { path: status, headers }), 'unauthenticated');
  });

  it('is refused on the internal listener when there are several', async () => {
    const path = '/internal/v1/brands';
    assert.equal((await exchange(internalPort, { path, headers: [bearer(testAdminToken)] })).status, 200);
    const twice = [bearer(testAdminToken), bearer(testAdminToken)];
    assertRefused(await exchange(internalPort, { path, headers: twice }), 'unauthenticated');
  });
});

describe('the Idempotency-Key header', () => {
  // [platform-60]
  it('is invalid when there are several, and nothing is written', async () => {
    const before = await writtenSoFar(apps);
    for (const keys of [
      ['same', 'same'],
      ['one', 'two'],
      ['one', ''],
      ['', 'two'],
    ])
      assertRefused(
        await create(...keys.map((key) => ['Idempotency-Key', key] as const)),
        'validation_failed',
        ['idempotency_key'],
      );
    assert.deepEqual(await writtenSoFar(apps), before);
  });

  it('is missing when it is empty or white space', async () => {
    for (const key of ['', ' ', '\t \t'])
      assertRefused(await create(['Idempotency-Key', key]), 'idempotency_key_required');
    assertRefused(await create(), 'idempotency_key_required');
  });

  // [platform-60]
  it('is invalid when it is not visible ASCII, or over 191 characters', async () => {
    for (const key of [
      'clé',
      'a b',
      'a\tb',
      '\u00a0',
      '\u0080',
      'ÿ'.repeat(10),
      'a'.repeat(192),
      'a'.repeat(5_000),
    ])
      assertRefused(await create(['Idempotency-Key', key]), 'validation_failed', ['idempotency_key']);
  });

  it('may be 191 characters long, and loses the white space around it', async () => {
    const key = '!'.repeat(191);
    const first = await create(['Idempotency-Key', key]);
    assert.equal(first.status, 201);
    const second = await create(['IDEMPOTENCY-KEY', ` \t${key} `]);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal(second.text, first.text);
  });
});

describe('the If-None-Match header', () => {
  it('is a list that may span several lines', async () => {
    const { headers } = await exchange(port, { path: products, headers: [bearer(apiKey)] });
    const tag = headers['etag'] as string;
    for (const tags of [
      ['"other"', tag],
      [tag, '"other"'],
    ]) {
      const lines = tags.map((value) => ['If-None-Match', value] as const);
      const answer = await exchange(port, {
        method: 'HEAD',
        path: products,
        headers: [bearer(apiKey), ...lines],
      });
      assert.equal(answer.status, 304);
    }
  });
});

describe('the Content-Type header', () => {
  it('may not stand twice, even if both agree', async () => {
    for (const type of ['application/json', 'text/plain'])
      assertRefused(await create(['Idempotency-Key', 'type'], ['content-type', type]), 'bad_request');
  });
});

// [platform-68] [platform-69]
describe('every answer', () => {
  const requests = {
    'a success': { path: status, headers: [bearer(apiKey)] },
    'a refusal of the key': { path: status },
    'an unknown path': { path: '/nothing' },
    'a path that is no percent-encoding': { path: '/%zz' },
    'a method that the path does not have': { method: 'DELETE', path: status },
    'a wrong query': { path: `${products}?page=0`, headers: [bearer(apiKey)] },
    'a wrong body': {
      method: 'POST',
      path: products,
      headers: [bearer(apiKey), ['Idempotency-Key', 'k'], ['Content-Type', 'application/json']],
      body: '{',
    },
    'a HEAD': { method: 'HEAD', path: status, headers: [bearer(apiKey)] },
    'a probe': { path: '/healthz' },
  } as const;

  for (const [what, request] of Object.entries(requests))
    it(`has an id and is not to be stored: ${what}`, async () => {
      const headers = 'headers' in request ? request.headers : [];
      const plain = await exchange(port, { ...request, headers });
      assert.match(plain.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(plain.headers['cache-control'], 'no-store');
      const own = await exchange(port, {
        ...request,
        headers: [...headers, ['X-Request-Id', 'my.own_id-7']],
      });
      assert.equal(own.headers['x-request-id'], 'my.own_id-7');
      const bad = await exchange(port, {
        ...request,
        headers: [...headers, ['X-Request-Id', 'not mine<br>']],
      });
      assert.match(bad.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(plain.headers['x-powered-by'] ?? plain.headers['server'], undefined);
    });

  it('has a new id when the request has several', async () => {
    const headers = [
      ['X-Request-Id', 'one'],
      ['X-Request-Id', 'two'],
    ] as const;
    const { headers: answered } = await exchange(port, { path: status, headers });
    assert.match(answered['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  });

  // [platform-10]
  it('to a signed request is the same as to one without a signature', async () => {
    const headers = [bearer(apiKey), ['X-Catalog-Signature', 'nonsense']] as const;
    assert.equal((await exchange(port, { path: status, headers })).status, 200);
  });
});
