// processes: keeps and drops megabytes of bodies
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CachedResponse, ResponseCache } from '../response-cache.ts';

const kibibyte = 1024;
const response = (bytes: number, more: Partial<CachedResponse> = {}): CachedResponse => ({
  body: 'x'.repeat(bytes),
  etag: '"tag"',
  state: '1',
  validFrom: 0,
  validUntil: Infinity,
  ...more,
});

/** Offers the body as often as it takes to be kept. */
function keep(cache: ResponseCache, key: string, body: CachedResponse): void {
  for (let n = 0; n < 2; n += 1) cache.offer(1, key, body);
}

describe('the response cache', () => {
  it('keeps a body when it is read for the second time', () => {
    const cache = new ResponseCache(25 * kibibyte);
    for (let n = 0; n < 1_000; n += 1) cache.offer(1, `once ${n}`, response(10));
    assert.equal(cache.use.responses, 0);
    cache.offer(1, 'once 999', response(10));
    assert.ok(cache.find(1, 'once 999', 0));
  });

  it('replaces a kept body at once, even when its key was forgotten', () => {
    const cache = new ResponseCache(25 * kibibyte);
    keep(cache, 'a', response(10, { state: '1' }));
    // More keys than are remembered.
    for (let n = 0; n < 200_000; n += 1) cache.offer(1, `other ${n}`, response(10));
    cache.offer(1, 'a', response(10, { state: '2' }));
    assert.equal(cache.find(1, 'a', 0)?.state, '2');
  });

  it('drops the least recently used body when its bytes are used up', () => {
    // Room for nine of them.
    const cache = new ResponseCache(25 * kibibyte);
    const keys = [...'abcdefghijk'];
    for (const key of keys.slice(0, 9)) keep(cache, key, response(2 * kibibyte));
    assert.ok(cache.find(1, 'a', 0));
    for (const key of keys.slice(9)) keep(cache, key, response(2 * kibibyte));
    const kept = keys.filter((key) => cache.find(1, key, 0));
    assert.equal(kept.join(''), 'adefghijk');
    assert.ok(cache.use.bytes <= 25 * kibibyte);
  });

  it('never holds more than its bytes, with any characters and keys', () => {
    const cache = new ResponseCache(100 * kibibyte);
    for (let n = 0; n < 2_000; n += 1) {
      const body = ['x', 'é', '€', '😀'][n % 4]?.repeat(n % 3_000) ?? '';
      keep(cache, `${n}`.padEnd(n % 200), response(0, { body }));
      assert.ok(cache.use.bytes <= 100 * kibibyte);
    }
    assert.ok(cache.use.bytes > 80 * kibibyte);
    // A character beyond U+00FF takes two bytes.
    const [ascii, wide] = [new ResponseCache(100 * kibibyte), new ResponseCache(100 * kibibyte)];
    keep(ascii, 'a', response(1_000));
    keep(wide, 'a', response(0, { body: '€'.repeat(1_000) }));
    assert.equal(wide.use.bytes - ascii.use.bytes, 1_000);
  });

  it('does not keep a body that would displace most of the others', () => {
    const cache = new ResponseCache(80 * kibibyte);
    keep(cache, 'small', response(kibibyte));
    keep(cache, 'large', response(11 * kibibyte));
    assert.equal(cache.find(1, 'large', 0), undefined);
    assert.ok(cache.find(1, 'small', 0));
  });

  it('returns a body only at the instants at which the clock has not changed it', () => {
    const cache = new ResponseCache(20 * kibibyte);
    keep(cache, 'a', response(10, { validFrom: 1_000, validUntil: 2_000 }));
    const found = [999, 1_000, 2_000, 2_001].map((now) => cache.find(1, 'a', now) !== undefined);
    assert.deepEqual(found, [false, true, true, false]);
  });

  it('keeps nothing with 0 bytes', () => {
    const cache = new ResponseCache(0);
    keep(cache, 'a', response(0));
    assert.equal(cache.find(1, 'a', 0), undefined);
    assert.deepEqual(cache.use, { bytes: 0, responses: 0, hits: 0, misses: 0 });
  });

  it('counts hits and misses', () => {
    const cache = new ResponseCache(kibibyte);
    for (const isHit of [true, false, true]) cache.count(isHit);
    assert.deepEqual([cache.use.hits, cache.use.misses], [2, 1]);
  });
});
