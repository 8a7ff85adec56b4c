import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSourceTime, sourceTimeOf } from '../../../lib/source-time.ts';
import {
  type FeedLine,
  numbersByPosition,
  orderOfLines,
  sortedPositions,
  supersededLines,
} from '../feed-line.ts';

const receivedMs = Date.parse('2026-03-01T12:00:00Z');
const receivedAt = sourceTimeOf(new Date(receivedMs));

function line(sku: string, updatedAt: string | null, locationCode = 'L'): FeedLine {
  return {
    sku,
    locationCode,
    quantity: 1,
    reserved: null,
    updatedAt: updatedAt === null ? null : parseSourceTime(updatedAt),
  };
}

function superseded(...lines: FeedLine[]): number[] {
  return [...supersededLines(lines, sortedPositions(lines), receivedAt)].sort((a, b) => a - b);
}

// [catalog-105]
describe('lines that name one SKU and location', () => {
  it('are superseded by the newest, regardless of its position', () => {
    const [old, middle, fresh] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    assert.deepEqual(superseded(line('A', fresh), line('A', old), line('A', middle)), [1, 2]);
    assert.deepEqual(superseded(line('A', old), line('A', fresh), line('A', middle)), [0, 2]);
    assert.deepEqual(superseded(line('A', old), line('A', middle), line('A', fresh)), [0, 1]);
  });

  it('are superseded by the last one if they are equally new', () => {
    const at = '2026-01-01T00:00:00Z';
    assert.deepEqual(superseded(line('A', at), line('A', at), line('A', at)), [0, 1]);
    assert.deepEqual(superseded(line('A', at), line('A', '2026-01-01T01:00:00+01:00')), [0]);
  });

  it('without a timestamp have the time of receipt', () => {
    assert.deepEqual(superseded(line('A', null), line('A', '2026-03-01T11:59:59.999Z')), [1]);
    assert.deepEqual(superseded(line('A', '2026-03-01T12:00:00Z'), line('A', null)), [0]);
    assert.deepEqual(superseded(line('A', null), line('A', '2026-03-01T12:00:00Z')), [0]);
    assert.deepEqual(superseded(line('A', '2027-01-01T00:00:00Z'), line('A', null)), [1]);
  });

  it('are distinguished by both, byte by byte', () => {
    assert.deepEqual(superseded(line('A', null), line('a', null), line('A', null, 'M')), []);
    assert.deepEqual(superseded(line('AB', null, 'C'), line('A', null, 'BC')), []);
  });
});

it('of any lines, each place keeps exactly one, which is as new as any and the last of those', () => {
  const anyLine = fc.record({
    sku: fc.constantFrom('A', 'B', 'C'),
    locationCode: fc.constantFrom('L', 'M'),
    quantity: fc.nat(),
    reserved: fc.constant(null),
    updatedAt: fc.option(
      fc
        .integer({ min: -3, max: 3 })
        .map((micros) =>
          parseSourceTime(
            new Date(receivedMs + Math.floor(micros / 2))
              .toISOString()
              .replace('Z', micros % 2 === 0 ? 'Z' : '001Z'),
          ),
        ),
    ),
  });
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 40 }), (lines) => {
      const gone = supersededLines(lines, sortedPositions(lines), receivedAt);
      const positions = Map.groupBy(lines.entries(), ([, { sku, locationCode }]) => `${sku}@${locationCode}`);
      for (const entries of positions.values()) {
        const kept = entries.filter(([index]) => !gone.has(index));
        assert.equal(kept.length, 1);
        const newest = entries
          .map(([, { updatedAt }]) => updatedAt ?? receivedAt)
          .sort()
          .at(-1);
        const last = entries.findLast(([, { updatedAt }]) => (updatedAt ?? receivedAt) === newest);
        assert.equal(kept[0]?.[0], last?.[0]);
      }
    }),
  );
});

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
