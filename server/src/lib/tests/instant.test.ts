import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isCalendarDay, parseInstant } from '../instant.ts';

// PostgreSQL and the API know the years 1 to 9999.
const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
const anyMillisecond = fc.integer({ min: firstMs, max: lastMs });

describe('reading an instant', () => {
  it('gives back every instant that was written as ISO 8601 in UTC', () => {
    fc.assert(
      fc.property(anyMillisecond, (ms) => {
        assert.equal(parseInstant(new Date(ms).toISOString())?.getTime(), ms);
      }),
    );
  });

  it('names the same instant in any offset', () => {
    const day = 24 * 60 * 60_000;
    fc.assert(
      fc.property(
        fc.integer({ min: firstMs + day, max: lastMs - day }),
        fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 }),
        fc.boolean(),
        (ms, offsetMinutes, withColon) => {
          const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1);
          const size = Math.abs(offsetMinutes);
          const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
          const zone = `${offsetMinutes < 0 ? '-' : '+'}${parts.join(withColon ? ':' : '')}`;
          assert.equal(parseInstant(local + zone)?.getTime(), ms);
        },
      ),
    );
  });

  it('cuts off what is finer than a millisecond, without rounding up', () => {
    assert.equal(parseInstant('2026-03-01T08:30:00.999999999Z')?.toISOString(), '2026-03-01T08:30:00.999Z');
    assert.equal(parseInstant('2026-03-01T08:30:00.5Z')?.toISOString(), '2026-03-01T08:30:00.500Z');
  });

  it('takes small letters for T and Z', () => {
    assert.equal(parseInstant('2026-03-01t08:30:00z')?.toISOString(), '2026-03-01T08:30:00.000Z');
  });

  it('never throws, and never answers a time that is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:.+TZ ') }), (text) => {
        const instant = parseInstant(text);
        assert.ok(instant === null || !Number.isNaN(instant.getTime()));
      }),
    );
  });

  // [platform-36]
  for (const text of [
    '',
    '2026-03-01',
    '2026-03-01T08:30:00',
    '2026-03-01 08:30:00Z',
    '2026-03-01T08:30Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T08:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-03-01T08:30:00+24:00',
    '2026-03-01T08:30:00+02:60',
    '2026-03-01T08:30:00+2',
    '2026-03-01T08:30:00.Z',
    '2026-03-01T08:30:00.0000000001Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '12026-03-01T08:30:00Z',
    '+2026-03-01T08:30:00Z',
    ' 2026-03-01T08:30:00Z',
    '2026-03-01T08:30:00Z\n',
    '٢٠٢٦-03-01T08:30:00Z',
    'NaN',
    '1772353800000',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseInstant(text), null));
});

describe('the calendar', () => {
  it('has a 29 February every fourth year but for three centuries of four', () => {
    assert.deepEqual(
      [2024, 2025, 2026, 1900, 2000, 2100, 4].map((year) => isCalendarDay(year, 2, 29)),
      [true, false, false, false, true, false, true],
    );
  });

  // [platform-32]
  it('has exactly the days that exist', () => {
    fc.assert(
      fc.property(anyMillisecond, (ms) => {
        const date = new Date(ms);
        assert.ok(isCalendarDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()));
      }),
    );
    for (const [month, day] of [
      [1, 0],
      [1, 32],
      [4, 31],
      [0, 1],
      [13, 1],
    ] as const)
      assert.equal(isCalendarDay(2026, month, day), false);
  });
});
