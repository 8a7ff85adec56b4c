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

describe('the response cache', () => {
  it('drops the least recently used body when its bytes are used up', () => {
    // Room for nine of them.
    const cache = new ResponseCache(25 * kibibyte);
    const keys = [...'abcdefghijk'];
    for (const key of keys.slice(0, 9)) cache.keep(key, response(2 * kibibyte));
    assert.ok(cache.find('a', 0));
    for (const key of keys.slice(9)) cache.keep(key, response(2 * kibibyte));
    const kept = keys.filter((key) => cache.find(key, 0));
    assert.equal(kept.join(''), 'adefghijk');
    assert.ok(cache.use.bytes <= 25 * kibibyte);
  });

  it('never holds more than its bytes, with any characters and keys', () => {
    const cache = new ResponseCache(100 * kibibyte);
    for (let n = 0; n < 2_000; n += 1) {
      const body = ['x', 'é', '€', '😀'][n % 4]?.repeat(n % 3_000) ?? '';
      cache.keep(`${n}`.padEnd(n % 200), response(0, { body }));
      assert.ok(cache.use.bytes <= 100 * kibibyte);
    }
    assert.ok(cache.use.bytes > 80 * kibibyte);
    // A character beyond U+00FF takes two bytes.
    const [ascii, wide] = [new ResponseCache(100 * kibibyte), new ResponseCache(100 * kibibyte)];
    ascii.keep('a', response(1_000));
    wide.keep('a', response(0, { body: '€'.repeat(1_000) }));
    assert.equal(wide.use.bytes - ascii.use.bytes, 1_000);
  });

  it('does not keep a body that would displace most of the others', () => {
    const cache = new ResponseCache(80 * kibibyte);
    cache.keep('small', response(kibibyte));
    cache.keep('large', response(11 * kibibyte));
    assert.equal(cache.find('large', 0), undefined);
    assert.ok(cache.find('small', 0));
  });

  it('returns a body only at the instants at which the clock has not changed it', () => {
    const cache = new ResponseCache(20 * kibibyte);
    cache.keep('a', response(10, { validFrom: 1_000, validUntil: 2_000 }));
    const found = [999, 1_000, 2_000, 2_001].map((now) => cache.find('a', now) !== undefined);
    assert.deepEqual(found, [false, true, true, false]);
  });

  it('keeps nothing with 0 bytes', () => {
    const cache = new ResponseCache(0);
    cache.keep('a', response(0));
    assert.equal(cache.find('a', 0), undefined);
    assert.deepEqual(cache.use, { bytes: 0, responses: 0, hits: 0, misses: 0 });
  });

  it('counts hits and misses', () => {
    const cache = new ResponseCache(kibibyte);
    for (const isHit of [true, false, true]) cache.count(isHit);
    assert.deepEqual([cache.use.hits, cache.use.misses], [2, 1]);
  });
});
