import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type FeedLine, numbersByPosition, orderOfLines, sortedPositions } from '../feed-line.ts';

const lineOf = (sku: string, locationCode = 'L'): FeedLine => ({
  sku,
  locationCode,
  quantity: 1,
  reserved: null,
  updatedAt: null,
});

const orderOf = (lines: readonly FeedLine[]) => orderOfLines(lines, sortedPositions(lines));

describe('the order in which the lines of a feed are applied', () => {
  it('is that of SKU, then location, and loses no line, for any lines', () => {
    const text = fc.constantFrom('A', 'B', 'a', 'ä', '日', '😀', 'A-1', 'A1');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 50 }), (names) => {
        // Enough lines to be sorted, the last of which belongs to the front.
        const filler = Array.from({ length: 10_000 }, (_, index) => lineOf(`Z${99_999 - index}`));
        const lines = [...filler, ...names.map(([sku, code]) => lineOf(sku, code))];
        const order = orderOf(lines);
        assert.ok(order !== null);
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          lines.map((_, index) => index),
        );
        const sorted = [...order].map((position) => lines[position] as FeedLine);
        for (const [index, line] of sorted.entries()) {
          const before = sorted[index - 1];
          if (before === undefined || before.sku < line.sku) continue;
          assert.ok(before.sku === line.sku && before.locationCode <= line.locationCode);
        }
        const numbers = numbersByPosition(order);
        for (const [number, position] of order.entries()) assert.equal(numbers[position], number);
      }),
      { numRuns: 20 },
    );
  });

  it('is that of the request for few lines, and for lines that are already sorted', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => lineOf(`S${10_000 + index}`));
    assert.equal(orderOf(lines), null);
    assert.equal(orderOf(lines.toReversed().slice(1)), null);
    assert.notEqual(orderOf(lines.toReversed()), null);
  });
});
