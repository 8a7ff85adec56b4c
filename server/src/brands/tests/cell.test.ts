import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brandIdsOf, feedTokenIdsOf } from '../cell.ts';

const cells = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

// [D201]
it('the ranges of all cells follow each other without a gap, from 1 to what an id can be', () => {
  for (const [rangeOf, largest] of [
    [brandIdsOf, 2 ** 31 - 1],
    [feedTokenIdsOf, 2 ** 48 - 1],
  ] as const) {
    const ranges = cells.map(rangeOf);
    assert.equal(ranges[0]?.first, 1);
    assert.equal(ranges.at(-1)?.last, largest);
    for (const [index, { first, last }] of ranges.entries()) {
      assert.ok(first < last);
      assert.equal(ranges[index + 1]?.first ?? largest + 1, last + 1);
    }
  }
});
