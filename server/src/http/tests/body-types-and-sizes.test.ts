import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { exchange, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newBodyGround } from './body-ground.ts';

const apps = await createTestApps();
const { apiKey, port, send, assertNothingWritten } = await newBodyGround(apps);

// [platform-24]
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

// [platform-23]
describe('a body over the limit of 1 MiB', () => {
  const limit = 1024 * 1024;
  const padded = (size: number) => `{"sku": 5, "pad": "${'x'.repeat(size - 21)}"}`;

  it('is refused, by a single byte', async () => {
    assert.equal(padded(limit).length, limit);
    for (const answer of await send(padded(limit))) assertRefused(answer, 'validation_failed', ['sku']);
    for (const answer of await send(padded(limit + 1))) {
      assertRefused(answer, 'payload_too_large');
      assert.equal(answer.json.message, 'The body is larger than 1 MiB, which this operation takes at most.');
    }
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

it('has written nothing after all of that', assertNothingWritten);
