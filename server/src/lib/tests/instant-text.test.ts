import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantText } from '../source-time.ts';

test('an instant is written as toISOString writes it', () => {
  const limit = 8_640_000_000_000_000;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: -limit, max: limit }),
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.constantFrom(0, -1, 1, limit, -limit, Date.UTC(9999, 11, 31, 23, 59, 59, 999), Date.UTC(-1, 0)),
      ),
      (ms) => assert.equal(instantText(new Date(ms)), new Date(ms).toISOString()),
    ),
    { numRuns: 1_000 },
  );
});

test('an invalid date is refused', () => {
  assert.throws(() => instantText(new Date(Number.NaN)), RangeError);
});
