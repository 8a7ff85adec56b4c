import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSourceTime, type SourceTime } from '../../../lib/source-time.ts';
import { addDifference, freshAtOf, noRollupDifference, rollupPart } from '../stock-rollup.ts';

const sourceAt = parseSourceTime('1970-01-01T00:00:01.234999Z') as SourceTime;
const level = { quantity: 5, reserved: 7, sourceAt, isFromFeed: true };
const own = { variantId: null, variantCounts: false, locationCounts: true };
const ofVariant = { variantId: 3, variantCounts: true, locationCounts: true };

describe('the contribution of a level to its product', () => {
  it('is all of its own stock; reservations beyond the quantity do not make it negative', () => {
    assert.deepEqual(rollupPart(own, level), {
      ...noRollupDifference,
      total_quantity: 5,
      total_reserved: 7,
      own_levels: 1,
      own_counted_levels: 1,
    });
  });

  it('counts only in the totals at an inactive location, and of an inactive variant', () => {
    const totals = { ...noRollupDifference, total_quantity: 5, total_reserved: 7 };
    const closed = { ...ofVariant, locationCounts: false };
    assert.deepEqual(rollupPart(closed, level), { ...totals, variant_levels: 1 });
    assert.deepEqual(rollupPart({ ...ofVariant, variantCounts: false }, level), totals);
    assert.equal(freshAtOf(closed, level), null);
    assert.equal(freshAtOf({ ...ofVariant, variantCounts: false }, level), null);
  });

  it('is fresh until its time if a feed has set it, and for ever if a person has', () => {
    assert.equal(freshAtOf(own, level), 1_234);
    assert.equal(freshAtOf(ofVariant, { ...level, isFromFeed: false }), Number.POSITIVE_INFINITY);
  });

  it('differs by what changed', () => {
    const after = { ...level, quantity: 9 };
    const sum = addDifference(noRollupDifference, rollupPart(ofVariant, level), rollupPart(ofVariant, after));
    assert.deepEqual(sum, { ...noRollupDifference, total_quantity: 4, variant_available: 2 });
    const created = addDifference(sum, rollupPart(own, null), rollupPart(own, level));
    assert.equal(created.own_levels, 1);
  });
});
