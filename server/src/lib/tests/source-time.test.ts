import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { parseInstant } from '../instant.ts';
import {
  instantText,
  millisecondOf,
  parseSourceTime,
  type SourceTime,
  shownSourceTime,
  sourceTimeOf,
} from '../source-time.ts';

const read = (text: string) => parseSourceTime(text) as SourceTime;

// [catalog-122]
describe('the time of a source', () => {
  it('has six digits, in UTC; further ones are cut off', () => {
    for (const [text, time] of [
      ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000000Z'],
      ['2026-03-01t08:30:00.1z', '2026-03-01T08:30:00.100000Z'],
      ['2026-03-01T08:30:00.1234Z', '2026-03-01T08:30:00.123400Z'],
      ['2026-03-01T08:30:00.123456789Z', '2026-03-01T08:30:00.123456Z'],
      ['2026-12-31T23:59:59.9999999-01:30', '2027-01-01T01:29:59.999999Z'],
      ['1969-12-31T23:59:59.000001+0000', '1969-12-31T23:59:59.000001Z'],
      ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
    ] as const)
      assert.equal(read(text), time);
    assert.equal(parseSourceTime('2026-02-30T08:30:00.123456Z'), null);
    assert.equal(parseSourceTime('2026-03-01T08:30:00.123456'), null);
  });

  it('is shown with three digits, or six, and read back', () => {
    for (const [text, shown] of [
      ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00.000Z'],
      ['2026-03-01T00:00:00.123000Z', '2026-03-01T00:00:00.123Z'],
      ['2026-03-01T00:00:00.1230001Z', '2026-03-01T00:00:00.123Z'],
      ['2026-03-01T00:00:00.1234Z', '2026-03-01T00:00:00.123400Z'],
    ] as const) {
      assert.equal(shownSourceTime(read(text)), shown);
      assert.equal(read(shown), read(text));
    }
  });

  it('of any text has the millisecond of parseInstant, and the order of its digits', () => {
    const micros = fc.integer({ min: 0, max: 999_999 }).map((n) => String(n).padStart(6, '0'));
    const any = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(any, micros, micros, (date, one, other) => {
        const text = (digits: string) => `${date.toISOString().slice(0, 19)}.${digits}Z`;
        assert.equal(millisecondOf(read(text(one))), parseInstant(text(one))?.getTime());
        assert.equal(read(text(one)) < read(text(other)), one < other);
        assert.ok(sourceTimeOf(parseInstant(text(one)) as Date) <= read(text(one)));
      }),
    );
  });
});

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
