import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../test/kit/test-apps.ts';
import { exchange, listenOn, RawConnection } from './raw-connection.fixture.ts';
import { assertRefused, writtenSoFar } from './refusal.fixture.ts';

const apps = await createTestApps();
const { client, apiKey } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'BODIES' });
const port = await listenOn(apps.clientApp);
const before = await writtenSoFar(apps);

const endpoints = [
  ['POST', '/catalog/products'],
  ['PATCH', `/catalog/products/${product.tu_id}`],
] as const;

/** Sends a body to both endpoints that take one; both have to refuse it alike. */
async function send(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const all = { 'idempotency-key': 'bodies', ...headers };
  return Promise.all(endpoints.map(([method, path]) => client.request(method, path, { body, headers: all })));
}

const nested = (open: string, middle: string, close: string) =>
  open.repeat(100_000) + middle + close.repeat(100_000);

describe('a body that is no JSON object', () => {
  const bodies: Record<string, string | Uint8Array> = {
    'that is cut off': '{"sku": "A"',
    'that is cut off inside of a text': '{"sku": "A',
    'with something behind the object': '{"sku": "A"} {}',
    'with a comma too many': '{"sku": "A",}',
    'with single quotes': "{'sku': 'A'}",
    'with a comment': '{"sku": "A"} // comment',
    'with NaN': '{"sku": "A", "price_value": NaN}',
    'with Infinity': '{"sku": "A", "price_value": Infinity}',
    'with a hexadecimal number': '{"sku": "A", "price_value": 0x10}',
    'with a leading zero': '{"sku": "A", "price_value": 012}',
    'with a control character in a text': '{"sku": "A\u0001"}',
    'with a byte order mark': '\ufeff{"sku": "A"}',
    'that is white space': ' \n ',
    'that is a form': 'sku=A&title=B',
    'that is no UTF-8': Buffer.from('{"sku": "A\xff"}', 'latin1'),
    'with an overlong UTF-8 sequence': Buffer.from('{"sku": "A\xc0\x80"}', 'latin1'),
    'with a surrogate as UTF-8': Buffer.from('{"sku": "A\xed\xa0\x80"}', 'latin1'),
    'that is UTF-16': Buffer.from('{"sku": "A"}', 'utf16le'),
    'that is compressed': Buffer.from('1f8b0800000000000003', 'hex'),
    'that is a list': '[{"sku": "A"}]',
    'that is an empty list': '[]',
    'that is null': 'null',
    'that is true': 'true',
    'that is a number': '5',
    'that is a number beyond every number': '1e400',
    'that is a text': '"{\\"sku\\": \\"A\\"}"',
    'that is a list 100,000 deep': nested('[', '', ']'),
    'that is an unclosed list 100,000 deep': '['.repeat(100_000),
    'that is an unclosed object 100,000 deep': '{"a":'.repeat(100_000),
  };

  for (const [what, body] of Object.entries(bodies))
    it(`${what} is refused on body`, async () => {
      for (const answer of await send(body)) assertRefused(answer, 'validation_failed', ['body']);
    });

  it('that is not there is refused on body, with and without a content type', async () => {
    for (const [method, path] of endpoints)
      for (const headers of [{}, { 'content-type': 'application/json' }])
        assertRefused(
          await client.request(method, path, { headers: { 'idempotency-key': 'empty', ...headers } }),
          'validation_failed',
          ['body'],
        );
  });

  it('is also refused when it comes over a real connection', async () => {
    const headers = [
      ['Authorization', `Bearer ${apiKey}`],
      ['Idempotency-Key', 'real'],
      ['Content-Type', 'application/json'],
    ] as const;
    for (const body of ['{"sku": "A"', Buffer.from('{"sku": "A\xff"}', 'latin1'), '']) {
      const answer = await exchange(port, {
        method: 'POST',
        path: '/v1/client/catalog/products',
        headers,
        body,
      });
      assertRefused(answer, 'validation_failed', ['body']);
    }
  });
});

describe('an object that is nested 100,000 deep', () => {
  const deep = nested('{"a":', '1', '}');

  it('is refused where a text belongs', async () => {
    for (const answer of await send(`{"sku": ${deep}}`)) assertRefused(answer, 'validation_failed', ['sku']);
    for (const answer of await send(`{"sku": "A", "versions": {"de": {"title": ${nested('[', '', ']')}}}}`))
      assertRefused(answer, 'validation_failed', ['versions.de.title']);
  });

  it('is ignored below an unknown key, at any place', async () => {
    const { status } = await client.patch(
      `/catalog/products/${product.tu_id}`,
      `{"unknown": ${deep}, "versions": {}, "__proto__": ${nested('[', '', ']')}}`,
    );
    assert.equal(status, 200);
  });
});

describe('a text of a megabyte', () => {
  it('is refused on its field', async () => {
    const long = 'x'.repeat(1024 * 1024 - 200);
    for (const field of [
      'sku',
      'title',
      'short_description',
      'tax_class',
      'price_currency',
      'default_language',
      'type',
    ])
      for (const answer of await send(JSON.stringify({ sku: 'A', [field]: long })))
        assertRefused(answer, 'validation_failed', [field]);
    for (const answer of await send(JSON.stringify({ sku: 'A', price_value: long })))
      assertRefused(answer, 'validation_failed', ['price_value']);
  });

  it('is shortened where it is the name of a field', async () => {
    const key = 'x'.repeat(900_000);
    for (const { status, json } of await send(JSON.stringify({ sku: 'A', versions: { [key]: {} } }))) {
      assert.equal(status, 422);
      assert.ok(JSON.stringify(json).length < 1_000);
    }
  });
});

describe('a content type', () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/vnd.api+json',
    'application/jsonp',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/x-ndjson',
    'text/json',
    'json',
    'application/',
    '*/*',
    '',
  ])
    it(`of ${JSON.stringify(type)} is not supported`, async () => {
      for (const answer of await send('{"sku": "A"}', { 'content-type': type }))
        assertRefused(answer, 'unsupported_media_type');
    });

  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json ',
  ])
    it(`of ${JSON.stringify(type)} is JSON`, async () => {
      for (const answer of await send('{"sku": 5}', { 'content-type': type }))
        assertRefused(answer, 'validation_failed', ['sku']);
    });

  it('that is missing is not supported where there is a body', async () => {
    const headers = [
      ['Authorization', `Bearer ${apiKey}`],
      ['Idempotency-Key', 'typeless'],
    ] as const;
    const path = '/v1/client/catalog/products';
    assertRefused(
      await exchange(port, { method: 'POST', path, headers, body: '{"sku": "A"}' }),
      'unsupported_media_type',
    );
  });
});

describe('a body over the limit of 1 MiB', () => {
  const limit = 1024 * 1024;
  const padded = (size: number) => `{"sku": 5, "pad": "${'x'.repeat(size - 21)}"}`;

  it('is refused, by a single byte', async () => {
    assert.equal(padded(limit).length, limit);
    for (const answer of await send(padded(limit))) assertRefused(answer, 'validation_failed', ['sku']);
    for (const answer of await send(padded(limit + 1))) assertRefused(answer, 'payload_too_large');
  });

  const headers = [
    ['Authorization', `Bearer ${apiKey}`],
    ['Idempotency-Key', 'large'],
    ['Content-Type', 'application/json'],
  ] as const;

  it('is refused on its length alone, before it is sent', async () => {
    const connection = new RawConnection(port);
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    connection.write(
      `POST /v1/client/catalog/products HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: 900000000000\r\n\r\n{`,
    );
    assertRefused(await connection.response(), 'payload_too_large');
    connection.socket.destroy();
  });

  it('is refused when its length was not told beforehand', async () => {
    const connection = new RawConnection(port);
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    connection.write(
      `POST /v1/client/catalog/products HTTP/1.1\r\nHost: x\r\n${lines}Transfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let i = 0; i < 17; i += 1) connection.write(chunk);
    assertRefused(await connection.response(), 'payload_too_large');
    connection.socket.destroy();
  });

  it('is refused before anything else about it is looked at, but after the key', async () => {
    for (const answer of await send(padded(limit + 1), { 'content-type': 'text/plain' }))
      assert.ok([413, 415].includes(answer.status));
    const anonymous = await apps.anonymous.post('/catalog/products', padded(limit + 1), {
      'idempotency-key': 'x',
    });
    assertRefused(anonymous, 'unauthenticated');
  });
});

describe('after all of that', () => {
  it('nothing was written', async () => {
    // The one change above that was accepted changed nothing, but counts as one.
    const { versions, ...rows } = (await writtenSoFar(apps)) as { versions: number };
    const { versions: versionsBefore, ...rowsBefore } = before as { versions: number };
    assert.deepEqual(rows, rowsBefore);
    assert.ok(versions - versionsBefore <= 1);
  });
});
