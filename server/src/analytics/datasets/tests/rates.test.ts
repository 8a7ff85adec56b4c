import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { meanOf, meanOrNull, percentage } from '../rounding.ts';

describe('a percentage', () => {
  for (const [part, whole, expected] of [
    [0, 0, 0],
    [5, 0, 0],
    [0, 7, 0],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 8, 12.5],
    // 100 x 1 / 800 = 0.125, which binary fractions and half-even rounding would make 0.12.
    [1, 800, 0.13],
    [1, 20_000, 0.01],
    [1, 20_001, 0],
    [7, 7, 100],
    [9, 7, 100],
    [9_007_199_254_740_991, 9_007_199_254_740_991, 100],
  ] as const)
    it(`of ${part} in ${whole} is ${expected}`, () => assert.equal(percentage(part, whole), expected));

  // [analytics-40]
  it('never differs from the exact value by more than half a hundredth', () => {
    const count = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(count, fc.integer({ min: 1, max: 1_000_000 }), (part, whole) => {
        const served = percentage(part, whole);
        assert.ok(Math.abs(served - Math.min(100, (100 * part) / whole)) <= 0.005 + 1e-9);
        assert.equal(served, Number(served.toFixed(2)));
      }),
    );
  });
});

describe('a mean', () => {
  for (const [sum, count, expected] of [
    ['0', 0, 0],
    ['0', 3, 0],
    ['100', 3, 33.33],
    ['0.3', 3, 0.1],
    ['2.675', 1, 2.68],
    ['1.005', 1, 1.01],
    ['1.00499999999999999999', 1, 1],
    ['299.985', 3, 100],
    ['79.95', 30, 2.67],
  ] as const)
    it(`of ${count} values that add up to ${sum} is ${expected}`, () =>
      assert.equal(meanOf({ sum, count }), expected));

  it('of no values is null on request', () => {
    assert.equal(meanOrNull({ sum: '0', count: 0 }), null);
    assert.equal(meanOrNull({ sum: '0', count: 1 }), 0);
  });
});
