// processes: sends bodies of megabytes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { exchange } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newBodyGround } from './body-ground.ts';

const apps = await createTestApps();
const { client, apiKey, product, port, endpoints, send, assertNothingWritten } = await newBodyGround(apps);

const nested = (open: string, middle: string, close: string) =>
  open.repeat(100_000) + middle + close.repeat(100_000);

// [platform-22]
describe('a body that is no JSON object', () => {
  const bodies: Record<string, string | Uint8Array> = {
    'that is cut off': '{"sku": "A"',
    'that is cut off inside of a string': '{"sku": "A',
    'with something behind the object': '{"sku": "A"} {}',
    'with a comma too many': '{"sku": "A",}',
    'with single quotes': "{'sku': 'A'}",
    'with a comment': '{"sku": "A"} // comment',
    'with NaN': '{"sku": "A", "price_value": NaN}',
    'with Infinity': '{"sku": "A", "price_value": Infinity}',
    'with a hexadecimal number': '{"sku": "A", "price_value": 0x10}',
    'with a leading zero': '{"sku": "A", "price_value": 012}',
    'with a control character in a string': '{"sku": "A\u0001"}',
    'with two byte order marks': '\ufeff\ufeff{"sku": "A"}',
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
    'that is a string': '"{\\"sku\\": \\"A\\"}"',
    'that is a list 100,000 deep': nested('[', '', ']'),
    'that is an unclosed list 100,000 deep': '['.repeat(100_000),
    'that is an unclosed object 100,000 deep': '{"a":'.repeat(100_000),
  };

  for (const [what, body] of Object.entries(bodies))
    it(`${what} is refused on body`, async () => {
      for (const answer of await send(body)) assertRefused(answer, 'validation_failed', ['body']);
    });

  it('is refused with the place of the fault', async () => {
    for (const answer of await send('\ufeff{"sku": "A" "title": "B"}'))
      assert.deepEqual(answer.json.errors, { body: ['must be JSON: unexpected "t" at position 13'] });
    for (const answer of await send('{"sku": "A"'))
      assert.deepEqual(answer.json.errors, { body: ['must be JSON: unexpected end of the body'] });
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

  it('is refused where a string belongs', async () => {
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

describe('a string of a megabyte', () => {
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

it('has written nothing after all of that', assertNothingWritten);
