import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSourceTime, sourceTimeOf } from '../../../lib/source-time.ts';
import { type FeedLine, sortedPositions, supersededLines } from '../feed-line.ts';

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
