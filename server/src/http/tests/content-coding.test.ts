// processes, alone: bodies that inflate beyond their limit
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createApiClient } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const mebibyte = 1024 * 1024;
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const { token } = (await apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Old' })).json;
const legacy = createApiClient(apps.clientApp, { prefix: '', token });
await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'ann' }] });

const feed = JSON.stringify({
  source: 'erp',
  mode: 'snapshot',
  lines: [{ sku: 'A', location_code: 'L', quantity: 1 }],
});
let keys = 0;
const event = () => {
  keys += 1;
  return `{"event_id": "gz-${keys}", "occurred_at": "2026-03-01T10:00:00Z", "kind": "view", "user": "ann", "content": {"type": "episode", "tu_id": "c"}}`;
};

/** Every endpoint that takes gzip, with a body that it accepts. */
const takers = {
  'a stock feed': (body: Uint8Array, coding: string) =>
    client.request('POST', '/catalog/stock/feeds', { body, headers: headersOf(coding) }),
  'a stock feed of the legacy path': (body: Uint8Array, coding: string) =>
    legacy.request('POST', '/v1/catalog/stock/feeds', { body, headers: headersOf(coding) }),
  'a list of events': (body: Uint8Array, coding: string) =>
    apps.admin.request('POST', `/brands/${brandId}/events`, { body, headers: headersOf(coding) }),
  'a stream of events': (body: Uint8Array, coding: string) =>
    apps.admin.request('POST', `/brands/${brandId}/events`, {
      body,
      headers: headersOf(coding, 'application/x-ndjson'),
    }),
};
type Taker = keyof typeof takers;
const bodyOf: Record<Taker, () => string> = {
  'a stock feed': () => feed,
  'a stock feed of the legacy path': () => feed,
  'a list of events': () => `{"items": [${event()}]}`,
  'a stream of events': () => event(),
};

function headersOf(coding: string, type = 'application/json') {
  keys += 1;
  return { 'content-type': type, 'content-encoding': coding, 'idempotency-key': `gzip-${keys}` };
}

const statusOf = (taker: Taker) => (taker.includes('feed') ? 202 : 200);

for (const [name, send] of Object.entries(takers) as [Taker, (typeof takers)[Taker]][])
  describe(`${name} with a Content-Encoding`, () => {
    const gzipped = () => gzipSync(bodyOf[name]());

    // [platform-30]
    for (const coding of ['gzip', 'x-gzip', 'GZip', ' gzip', 'identity, gzip'])
      it(`of ${JSON.stringify(coding)} is decoded`, async () => {
        const answer = await send(gzipped(), coding);
        assert.equal(answer.status, statusOf(name), answer.text);
        if (!name.includes('feed')) assert.equal(answer.json.accepted, 1);
      });

    it('of identity, or an empty one, is none', async () => {
      for (const coding of ['identity', 'Identity', ''])
        assert.equal((await send(Buffer.from(bodyOf[name]()), coding)).status, statusOf(name));
    });

    for (const coding of ['deflate', 'br', 'zstd', 'gzip, gzip', 'gzip, br', 'gzipped', '*'])
      it(`of ${JSON.stringify(coding)} is not supported`, async () => {
        const answer = await send(gzipped(), coding);
        assertRefused(answer, 'unsupported_media_type');
        assert.equal(answer.headers['accept-encoding'], 'gzip');
      });

    it('may be of several members, and cut anywhere', async () => {
      const text = bodyOf[name]();
      const parts = [text.slice(0, 20), text.slice(20, 21), text.slice(21)].map((part) => gzipSync(part));
      assert.equal((await send(Buffer.concat(parts), 'gzip')).status, statusOf(name));
    });

    const broken: Record<string, (bytes: Buffer) => Buffer> = {
      'is no gzip': () => Buffer.from(bodyOf[name]()),
      'is cut off': (bytes) => bytes.subarray(0, -5),
      'is cut off in its header': (bytes) => bytes.subarray(0, 4),
      'has a wrong checksum': (bytes) => {
        bytes.writeUInt32LE(1, bytes.length - 8);
        return bytes;
      },
      'is followed by text': (bytes) => Buffer.concat([bytes, Buffer.from('{}')]),
      'is followed by zeros': (bytes) => Buffer.concat([bytes, Buffer.alloc(200_000)]),
      'is followed by half a member': (bytes) => Buffer.concat([bytes, bytes.subarray(0, 12)]),
    };
    // [platform-31]
    for (const [what, damage] of Object.entries(broken))
      it(`that ${what} is refused`, async () => {
        assertRefused(await send(damage(gzipped()), 'gzip'), 'validation_failed', ['body']);
      });
  });

describe('a gzip body that unpacks to more than the limit', () => {
  // [platform-31]
  for (const name of ['a stock feed', 'a list of events'] as const)
    it(`is refused at the limit: ${name}`, async () => {
      const bomb = gzipSync(Buffer.alloc(300 * mebibyte, ' '));
      assert.ok(bomb.length < mebibyte);
      assertRefused(await takers[name](bomb, 'gzip'), 'payload_too_large');
    });

  it('is taken at the limit', async () => {
    const exact = gzipSync(
      Buffer.concat([Buffer.alloc(32 * mebibyte - feed.length, ' '), Buffer.from(feed)]),
    );
    assert.equal((await takers['a stock feed'](exact, 'gzip')).status, 202);
  });
});

describe('a gzipped feed', () => {
  it('is the same batch as one that is not', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'both-ways' };
    const send = (body: Uint8Array | string, more: object = {}) =>
      client.request('POST', '/catalog/stock/feeds', { body, headers: { ...headers, ...more } });
    const first = await send(feed);
    const again = await send(gzipSync(feed), { 'content-encoding': 'gzip' });
    assert.deepEqual([first.status, again.status], [202, 200]);
    assert.equal(again.json.feed_id, first.json.feed_id);
    assert.equal(again.headers['x-feed-body-differs'], undefined);
  });
});

// [platform-30]
describe('a Content-Encoding elsewhere', () => {
  it('is not supported, nor is its body read', async () => {
    const headers = { 'idempotency-key': 'elsewhere', 'content-encoding': 'gzip' };
    const answer = await client.request('POST', '/catalog/products', { body: gzipSync('{}'), headers });
    assertRefused(answer, 'unsupported_media_type');
    const internal = await apps.admin.request('POST', '/brands', { body: gzipSync('{}'), headers });
    assertRefused(internal, 'unsupported_media_type');
  });

  it('means nothing without a body', async () => {
    const headers = { 'content-encoding': 'gzip' };
    assert.equal((await client.request('GET', '/catalog/products', { headers })).status, 200);
  });
});
