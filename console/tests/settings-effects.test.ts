import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { effectsOf } from '../src/pages/brands/settings-effects.ts';

// [D253]
describe('the effects of changed settings of a brand', () => {
  const before = { low_stock_threshold: '5', stale_after_hours: '24' };
  const cases: readonly (readonly [low: string, hours: string, effects: readonly string[]])[] = [
    ['5', '24', []],
    ['8', '24', ['Stock with 6 to 8 available becomes low_stock.']],
    ['6', '24', ['Stock with 6 available becomes low_stock.']],
    ['0', '24', ['Stock with 1 to 5 available becomes in_stock.']],
    ['5', '12', ['Stock that feeds last reported 12 to 24 hours ago becomes stale.']],
    ['5', '48', ['Stock that feeds last reported 24 to 48 hours ago is no longer stale.']],
    ['5', '', ['Stock no longer becomes stale.']],
    ['4', ' ', ['Stock with 5 available becomes in_stock.', 'Stock no longer becomes stale.']],
    ['', 'x', []],
    ['-1', '0', []],
    ['5.5', '1e99', []],
  ];
  for (const [low, hours, effects] of cases)
    it(`of a threshold "${low}" and hours "${hours}"`, () =>
      assert.deepEqual(effectsOf(before, { low_stock_threshold: low, stale_after_hours: hours }), effects));

  it('of hours where stock never became stale', () => {
    const never = { ...before, stale_after_hours: '' };
    assert.deepEqual(effectsOf(never, before), [
      'Stock that feeds last reported more than 24 hours ago becomes stale.',
    ]);
  });
});
