import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newTuId, randomBase62, randomHex } from '../ids.ts';

const manyOf = (make: () => string) => Array.from({ length: 20_000 }, make);

describe('public ids', () => {
  // [catalog-3]
  it('are 21 characters of the documented alphabet, and never twice the same', () => {
    const ids = manyOf(newTuId);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{21}$/);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('use the whole alphabet at every place', () => {
    const ids = manyOf(newTuId);
    for (let place = 0; place < 21; place += 1)
      assert.equal(new Set(ids.map((id) => id[place])).size, 64, `place ${place}`);
  });
});

describe('random hexadecimal text', () => {
  it('has the length that was asked for', () => {
    for (const length of [2, 24, 32]) assert.match(randomHex(length), new RegExp(`^[0-9a-f]{${length}}$`));
  });
});

describe('secrets', () => {
  it('have the length that was asked for', () => {
    for (const length of [0, 1, 40, 61, 62, 1000])
      assert.match(randomBase62(length), new RegExp(`^[A-Za-z0-9]{${length}}$`));
  });

  it('use every character equally often', () => {
    const length = 620_000;
    const counts = new Map<string, number>();
    for (const character of randomBase62(length)) counts.set(character, (counts.get(character) ?? 0) + 1);
    assert.equal(counts.size, 62);
    // 10,000 each are expected, with a standard deviation of about 100; a modulo of a byte would favour eight by a quarter.
    for (const [character, count] of counts)
      assert.ok(Math.abs(count - length / 62) < 800, `${character}: ${count}`);
  });
});
