import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { registerSecretsOf } from '../../../test/support/canaries.ts';
import { listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import type { AnyOperation } from '../../api/operation.ts';
import { clientDomains, internalOperations } from '../operations.ts';

const apps = await createTestApps();
const { client, apiKey, brandId } = await apps.newBrand();
for (let i = 0; i < 20; i += 1)
  await client.create('/catalog/products', { sku: `PRODUCT-${i}`, title: `Ünïcode \u{1f9f5} ${i}` });
const list = '/catalog/products';
const accepting = (coding: string) => ({ 'accept-encoding': coding });
const url = `http://127.0.0.1:${await listenOn(apps.clientApp)}`;

/** The response as sent over the wire. */
const raw = (path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  apps.clientApp.inject({
    method,
    url: `/v1/client${path}`,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
  });

// [platform-70]
describe('a response above 1 KiB', () => {
  it('is compressed as the client prefers, and is the same when it is decoded', async () => {
    const plain = await raw(list, {});
    for (const [coding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const coded = await raw(list, accepting(coding));
      assert.equal(coded.headers['content-encoding'], coding);
      assert.equal(Number(coded.headers['content-length']), coded.rawPayload.length);
      assert.ok(coded.rawPayload.length < plain.rawPayload.length / 3);
      assert.ok(decode(coded.rawPayload).equals(plain.rawPayload));
      assert.equal(coded.headers['content-type'], plain.headers['content-type']);
    }
  });

  it('names Accept-Encoding in Vary, compressed or not', async () => {
    for (const headers of [{}, accepting('gzip'), accepting('identity'), accepting('gzip;q=0')])
      assert.equal((await raw(list, headers)).headers['vary'], 'accept-encoding');
  });

  it('is decoded by an ordinary client over a real connection', async () => {
    const response = await fetch(`${url}/v1/client${list}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    assert.match(response.headers.get('content-encoding') ?? '', /^(?:br|gzip)$/);
    assert.deepEqual(await response.json(), (await client.get(list)).json);
  });

  it('has the same headers to HEAD, and no body', async () => {
    for (const headers of [{}, accepting('gzip'), accepting('br')]) {
      const get = await raw(list, headers);
      const head = await raw(list, headers, 'HEAD');
      assert.equal(head.body, '');
      for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'content-type'])
        assert.equal(head.headers[name], get.headers[name], name);
    }
  });

  it('is compressed when it is an error, too', async () => {
    const lines = Array.from({ length: 60 }, () => ({ sku: '', location_code: 'X', quantity: -1 }));
    const headers = { ...accepting('gzip'), 'idempotency-key': 'errors' };
    const refused = await client.post(
      '/catalog/stock/feeds',
      { source: 's', mode: 'snapshot', lines },
      headers,
    );
    assert.deepEqual([refused.status, refused.headers['content-encoding']], [422, 'gzip']);
    assert.equal(refused.json.code, 'validation_failed');
  });

  it('of a megabyte is compressed off the event loop', async () => {
    const long = 'x'.repeat(4_500);
    const versions = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `x-tag${i}`,
        { title: `t${i}`, short_description: `${i} ${long}` },
      ]),
    );
    const made = await client.create('/catalog/products', { sku: 'LARGE' });
    // More than a request may send now [catalog-133].
    await apps.sql('update products set versions = $1 where tu_id = $2', [
      JSON.stringify(versions),
      made.json.tu_id,
    ]);
    const path = `/catalog/products/${made.json.tu_id}`;
    const [plain, coded] = [await client.get(path), await client.get(path, accepting('br'))];
    assert.ok(plain.text.length > 900_000);
    assert.equal(coded.headers['content-encoding'], 'br');
    assert.equal(coded.text, plain.text);
  });
});

describe('a short response', () => {
  it('stays as it is, unless identity is refused', async () => {
    const plain = await raw('/catalog/status', accepting('gzip, br'));
    assert.ok(plain.rawPayload.length <= 1_024);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers['vary'], 'accept-encoding');
    const coded = await raw('/catalog/status', accepting('gzip, identity;q=0'));
    assert.equal(coded.headers['content-encoding'], 'gzip');
    assert.deepEqual(JSON.parse(gunzipSync(coded.rawPayload).toString()), plain.json());
  });

  it('of exactly 1,024 bytes stays as it is, of 1,025 is compressed', async () => {
    const { json } = await client.create('/catalog/products', { sku: 'SIZE' });
    const path = `/catalog/products/${json.tu_id}`;
    const described = async (length: number) => {
      await client.patch(path, { short_description: 'a'.repeat(length) });
      return client.get(path, accepting('gzip'));
    };
    const others = Buffer.byteLength((await described(1)).text) - 1;
    for (const [size, coding] of [
      [1_024, undefined],
      [1_025, 'gzip'],
    ] as const) {
      const answer = await described(size - others);
      assert.equal(Buffer.byteLength(answer.text), size);
      assert.equal(answer.headers['content-encoding'], coding);
    }
  });

  it('without a body has no coding', async () => {
    await client.post('/catalog/axes', { code: 'gone' });
    const deleted = await client.request('DELETE', '/catalog/axes/gone', {
      headers: accepting('gzip, identity;q=0'),
    });
    assert.deepEqual(
      [deleted.status, deleted.text, deleted.headers['content-encoding']],
      [204, '', undefined],
    );
  });
});

// [platform-71]
describe('the tag of a response', () => {
  it('is weak for a client that accepts a coding, and either form is answered 304', async () => {
    const { etag: strong = '' } = (await client.get(list)).headers;
    const { etag: weak = '' } = (await client.get(list, accepting('gzip'))).headers;
    assert.match(strong, /^"/);
    assert.equal(weak, `W/${strong}`);
    for (const held of [strong, weak])
      for (const [headers, tag] of [
        [{}, strong],
        [accepting('br'), weak],
      ] as const) {
        const answer = await client.get(list, { ...headers, 'if-none-match': held });
        assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', tag]);
        assert.equal(answer.headers['content-encoding'], undefined);
        assert.equal(answer.headers['vary'], 'accept-encoding');
      }
  });
});

// [platform-71]
describe('a replay', () => {
  it('is the same bytes for any coding of the first response and the replay', async () => {
    const body = { sku: 'REPLAYED', short_description: 'long '.repeat(500) };
    const create = (key: string, headers: Record<string, string>): Promise<ApiResponse> =>
      client.post(
        '/catalog/products',
        { ...body, sku: `${body.sku}-${key}` },
        { 'idempotency-key': key, ...headers },
      );
    for (const [key, first, second] of [
      ['coded-first', accepting('gzip'), {}],
      ['plain-first', {}, accepting('br')],
      ['two-codings', accepting('br'), accepting('gzip')],
    ] as const) {
      const one = await create(key, first);
      const two = await create(key, second);
      assert.deepEqual([one.status, two.status, two.headers['idempotency-replayed']], [201, 201, 'true']);
      assert.equal(two.text, one.text);
    }
    const rows = await apps.sql<{ body: string }>(
      `select body from idempotency_records where idempotency_key = 'coded-first'`,
    );
    assert.match(rows[0]?.body ?? '', /"sku":"REPLAYED-coded-first"/);
  });
});

describe('a secret', () => {
  const operations: AnyOperation[] = [
    ...clientDomains.flatMap((domain) => [...domain.operations]),
    ...internalOperations,
  ];
  const secret = /tuk_[0-9a-f]{24}\.[A-Za-z0-9]{40}|cfk_[A-Za-z0-9]{20}|bpa_[0-9a-f]{24}\./;

  it('is in no answer that may be compressed', () => {
    const revealing = operations.filter(({ responses }) => secret.test(JSON.stringify(responses)));
    assert.deepEqual(
      revealing.map(({ id }) => id).sort(),
      operations
        .filter(({ secretField }) => secretField !== undefined)
        .map(({ id }) => id)
        .sort(),
    );
    assert.ok(revealing.length >= 3);
  });

  it('is sent as it is, even to a client that refuses identity', async () => {
    const answer = await apps.internalApp.inject({
      method: 'POST',
      url: `/internal/v1/brands/${brandId}/feed-tokens`,
      headers: { authorization: `Bearer ${testAdminToken}`, 'accept-encoding': 'gzip, identity;q=0' },
      payload: { name: 'Old shop' },
    });
    assert.equal(answer.statusCode, 201);
    assert.deepEqual([answer.headers['content-encoding'], answer.headers['vary']], [undefined, undefined]);
    registerSecretsOf(answer.json());
  });
});

describe('the metrics and the document', () => {
  it('are compressed, the document always to the same bytes', async () => {
    const metrics = await apps.internalApp.inject({ url: '/metrics', headers: accepting('gzip') });
    assert.match(gunzipSync(metrics.rawPayload).toString(), /brandport_http_requests_total/);
    const ask = () => apps.clientApp.inject({ url: '/openapi.json', headers: accepting('br') });
    const [first, second] = [await ask(), await ask()];
    assert.equal(first.headers['content-encoding'], 'br');
    assert.equal(first.headers['vary'], 'accept-encoding');
    assert.ok(first.rawPayload.equals(second.rawPayload));
    const plain = await apps.clientApp.inject({ url: '/openapi.json' });
    assert.ok(brotliDecompressSync(first.rawPayload).equals(plain.rawPayload));
  });
});
