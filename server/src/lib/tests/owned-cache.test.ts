import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OwnedCache } from '../owned-cache.ts';

describe('a cache that owners share', () => {
  it('keeps the entries of others while one owner fills it', () => {
    const cache = new OwnedCache<string, number>(100);
    for (let n = 0; n < 20; n += 1) cache.set('quiet', `${n}`, n);
    for (let n = 0; n < 10_000; n += 1) cache.set('noisy', `${n}`, n);
    assert.deepEqual([cache.size, cache.count], [100, 100]);
    for (let n = 0; n < 20; n += 1) assert.equal(cache.get('quiet', `${n}`), n);
    assert.equal(cache.get('noisy', '9999'), 9_999);
    assert.equal(cache.get('noisy', '9919'), undefined);
  });

  it('drops the least recently used entry of the owner with the most', () => {
    const cache = new OwnedCache<string, string>(10);
    cache.set('a', 'old', 'old', 3);
    cache.set('a', 'new', 'new', 3);
    cache.set('b', 'one', 'one', 4);
    assert.equal(cache.get('a', 'old'), 'old');
    cache.set('b', 'two', 'two', 1);
    assert.deepEqual(
      [cache.get('a', 'old'), cache.get('a', 'new'), cache.get('b', 'one')],
      ['old', undefined, 'one'],
    );
  });

  it('has one value of a key for each owner', () => {
    const cache = new OwnedCache<number, string>(10);
    cache.set(1, 'key', 'of 1');
    cache.set(2, 'key', 'of 2');
    cache.set(1, 'key', 'of 1 again', 2);
    assert.deepEqual([cache.get(1, 'key'), cache.get(2, 'key'), cache.size], ['of 1 again', 'of 2', 3]);
    cache.delete(1, 'key');
    assert.deepEqual([cache.has(1, 'key'), cache.has(2, 'key'), cache.size], [false, true, 1]);
  });

  it('keeps nothing that is larger than itself, and drops what it replaces', () => {
    const cache = new OwnedCache<number, string>(10);
    cache.set(1, 'key', 'small', 2);
    cache.set(1, 'key', 'large', 11);
    assert.deepEqual([cache.get(1, 'key'), cache.size, cache.count], [undefined, 0, 0]);
  });

  it('never exceeds its size, and counts what it holds', () => {
    const step = fc.record({
      owner: fc.integer({ min: 0, max: 4 }),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      size: fc.integer({ min: 1, max: 12 }),
      deletes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new OwnedCache<number, number>(20);
        for (const { owner, key, size, deletes } of steps) {
          if (deletes) cache.delete(owner, key);
          else cache.set(owner, key, size, size);
          const held = [0, 1, 2, 3, 4].flatMap((one) =>
            ['a', 'b', 'c', 'd'].map((name) => cache.get(one, name) ?? 0),
          );
          assert.ok(cache.size <= 20);
          assert.equal(
            cache.size,
            held.reduce((sum, one) => sum + one, 0),
          );
          assert.equal(cache.count, held.filter((one) => one > 0).length);
        }
      }),
    );
  });
});
