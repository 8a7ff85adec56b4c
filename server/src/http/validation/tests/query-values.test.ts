import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Instant } from '../../../api/field-schemas.ts';
import { readQueryValues } from '../validator.ts';

const schema = Type.Object({
  text: Type.String(),
  flag: Type.Boolean(),
  count: Type.Integer(),
  at: Instant(),
});
const read = (raw: Record<string, unknown>) => readQueryValues(raw, schema);

describe('a string in a query', () => {
  it('stays as it is, also where it looks like something else', () => {
    for (const text of ['', '1', 'true', 'null', '2026-03-01T08:30:00 02:00', '[]'])
      assert.deepEqual(read({ text }), { text });
  });

  it('that came twice stays a list, for the schema to refuse', () => {
    assert.deepEqual(read({ text: ['a', 'b'], count: ['1', '2'] }), { text: ['a', 'b'], count: ['1', '2'] });
  });
});

// [platform-37]
describe('a boolean in a query', () => {
  it('is true, false, 1 or 0', () => {
    assert.deepEqual(
      ['true', '1', 'false', '0'].map((flag) => read({ flag })),
      [{ flag: true }, { flag: true }, { flag: false }, { flag: false }],
    );
  });

  it('is nothing else: that stays a string, for the schema to refuse', () => {
    for (const flag of ['', 'TRUE', 'yes', '2', '01', ' true', 'null'])
      assert.deepEqual(read({ flag }), { flag });
  });
});

describe('an integer in a query', () => {
  it('is read exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (count) =>
        assert.deepEqual(read({ count: String(count) }), { count }),
      ),
    );
    assert.deepEqual(read({ count: '007' }), { count: 7 });
  });

  it('that no number holds exactly is as far away as a number can be, on its own side', () => {
    assert.deepEqual(read({ count: '9'.repeat(400) }), { count: Number.MAX_SAFE_INTEGER });
    assert.deepEqual(read({ count: `-${'9'.repeat(400)}` }), { count: -Number.MAX_SAFE_INTEGER });
  });

  it('is written in digits: everything else stays a string, for the schema to refuse', () => {
    for (const count of ['', ' 1', '+1', '1.0', '1e3', '0x10', 'NaN', 'Infinity', '١', '1\n', '--1'])
      assert.deepEqual(read({ count }), { count });
  });
});

describe('a date-time in a query', () => {
  // [platform-36]
  it('may have lost the + of its offset to a space', () => {
    assert.deepEqual(read({ at: '2026-03-01T08:30:00 02:00' }), { at: '2026-03-01T08:30:00+02:00' });
    assert.deepEqual(read({ at: '2026-03-01T08:30:00.5 0200' }), { at: '2026-03-01T08:30:00.5+0200' });
  });

  it('is left alone otherwise', () => {
    for (const at of ['2026-03-01T08:30:00Z', '2026-03-01 08:30:00Z', '2026-03-01T08:30:00-02:00', ''])
      assert.deepEqual(read({ at }), { at });
  });
});

describe('parameters that the schema does not name', () => {
  it('are dropped, also those with a meaning in JavaScript', () => {
    const raw = JSON.parse('{"text": "a", "other": "b", "__proto__": {"flag": "1"}, "constructor": "c"}');
    assert.deepEqual(read(raw), { text: 'a' });
    assert.deepEqual(readQueryValues(raw, Type.Object({})), {});
  });

  it('are not found on the prototype of the query', () => {
    assert.deepEqual(read(Object.create({ text: 'inherited' })), {});
  });
});
