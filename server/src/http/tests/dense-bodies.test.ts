// nightly: measures how long the event loop is held
import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, it } from 'node:test';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { apiKey, brandId, client } = await apps.newBrand();
const mebibyte = 1024 * 1024;
const { json: product } = await client.create('/catalog/products', { sku: 'DENSE' });

/** Returns JSON of about `size` bytes that repeats an item. */
function filled(start: string, item: (index: number) => string, end: string, size: number): string {
  const parts: string[] = [];
  let length = start.length + end.length;
  for (let index = 0; length < size - 40; index += 1) {
    const part = item(index);
    parts.push(part);
    length += part.length + 1;
  }
  return start + parts.join(',') + end;
}

/** The densest bodies of a size, with their weight in one field; with white space for more bytes a value. */
function shapes(field: string, size: number, bytesPerValue: number): Record<string, string> {
  const list = (item: (index: number) => string, end = ']}') =>
    filled(`{"${field}":[`, (i) => item(i).padEnd(2 * bytesPerValue - 1), end, size);
  const name = (text: string) => text.padEnd(bytesPerValue - 1);
  const depth = size / Math.max(bytesPerValue, 2) - 20;
  return {
    'empty objects': list(() => '{}'),
    numbers: filled(`{"${field}":[`, () => name('1'), ']}', size),
    'nested arrays': `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`.padEnd(size),
    'objects with a name each': list((i) => `{"${i.toString(36)}":1}`),
    'a map of bad tags': filled(`{"${field}":{`, (i) => name(`"${i.toString(36)}-":0`), '}}', size),
    'unknown names': filled('{', (i) => name(`"u${i.toString(36)}":1`), '}', size),
    escapes: `{"${field}":"${'\\u0000'.repeat(size / 6 - 20)}"}`,
    'white space': `{"${field}":[${' '.repeat(size - 40)}1]}`,
    'what is no JSON': list(() => '{}', ',]}'),
  };
}

const catalog = '/v1/client/catalog';
const internal = `/internal/v1/brands/${brandId}`;
const targets = [
  ['POST', `${catalog}/axes`, 'values', mebibyte],
  ['POST', `${catalog}/products`, 'versions', mebibyte],
  ['PATCH', `${catalog}/products/${product.tu_id}`, 'versions', mebibyte],
  ['PUT', `${catalog}/products/${product.tu_id}/axes`, 'axes', mebibyte],
  ['POST', `${catalog}/products/${product.tu_id}/variants`, 'axis_values', mebibyte],
  ['POST', `${internal}/keys`, 'scopes', mebibyte],
  ['PUT', `${internal}/markets`, 'items', 8 * mebibyte],
] as const;

/** Milliseconds of the processor that this thread has used: other processes may hold the processor, too. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns the longest time, in milliseconds of the processor, for which a request holds the event loop. */
async function heldBy(method: 'POST' | 'PATCH' | 'PUT', url: string, body: string): Promise<number> {
  const isInternal = url.startsWith('/internal');
  const payload = Buffer.from(body);
  let last = threadMs();
  let longest = 0;
  let isRunning = true;
  const look = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(look);
  };
  setImmediate(look);
  const { statusCode } = await (isInternal ? apps.internalApp : apps.clientApp).inject({
    method,
    url,
    payload,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      authorization: `Bearer ${isInternal ? testAdminToken : apiKey}`,
    },
  });
  assert.ok(statusCode < 500, String(statusCode));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  isRunning = false;
  return longest;
}

// [D292]
describe('the densest body', () => {
  for (const [method, url, field, size] of targets)
    it(`of ${method} ${url.replace(product.tu_id, ':tuId')} never holds the event loop for more than 50 ms`, async () => {
      // In 8 MiB, 56 bytes a value are as many values as are accepted.
      const bodies = [0, ...(size > mebibyte ? [56] : [])].map((bytes) => shapes(field, size, bytes));
      for (const [shape, body] of bodies.flatMap(Object.entries<string>)) {
        // The best of some counts: the collector of garbage takes its time, too.
        let least = Number.POSITIVE_INFINITY;
        for (let attempt = 0; attempt < 3 && least > 50; attempt += 1)
          least = Math.min(least, await heldBy(method, url, body));
        assert.ok(least <= 50, `${shape}: ${Math.round(least)} ms`);
      }
    });
});
