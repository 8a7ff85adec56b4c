import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { changedEntry, newAxis, newAxisValue } from '../axis.ts';

const now = new Date('2026-03-01T08:30:00.000Z');
const later = new Date('2026-03-02T08:30:00.000Z');
const free = { isTaken: false, lastPosition: -1 };
const stamp = () => now;

const given = { code: 'size', label: null, position: null, values: [] };
const aValue = (value: string, position: number | null = null) => ({ value, label: null, position });
const withValues = (...values: ReturnType<typeof aValue>[]) => newAxis({ ...given, values }, free, stamp);

/** The positions of the values v0, v1, and so on, in this order. */
const positionsOf = (...positions: (number | null)[]) =>
  withValues(...positions.map((position, n) => aValue(`v${n}`, position)))
    .values.toSorted((a, b) => (a.value < b.value ? -1 : 1))
    .map(({ position }) => position);

describe('the next free position', () => {
  it('is the largest earlier position plus one', () => {
    assert.deepEqual(positionsOf(null, 7, null, 3, null), [0, 7, 8, 3, 9]);
    assert.equal(newAxis(given, { isTaken: false, lastPosition: 4 }, stamp).position, 5);
    assert.equal(newAxisValue(aValue('s'), { isTaken: false, lastPosition: 4 }, stamp).position, 5);
  });
});

describe('a new axis', () => {
  it('may have values that differ only in case', () => {
    assert.equal(withValues(aValue('a'), aValue('A'), aValue('b')).values.length, 3);
  });

  it('is refused for each second occurrence of a value, and takes no stamp', () => {
    const values = ['a', 'b', 'a', 'b', 'a'].map((value) => aValue(value));
    assert.throws(
      () => newAxis({ ...given, values }, { isTaken: true, lastPosition: 0 }, () => assert.fail()),
      (error) => {
        assert.ok(error instanceof ApiError);
        const fields = ['values.2.value', 'values.3.value', 'values.4.value'];
        assert.deepEqual(Object.keys(error.details.errors ?? {}), fields);
        return true;
      },
    );
  });
});

describe('a changed axis or value', () => {
  const present = { label: null, position: 1, isActive: true, updatedAt: now };

  it('is the same one when every given field already has its value', () => {
    assert.equal(changedEntry(present, {}, later), present);
    assert.equal(changedEntry(present, { label: null, position: 1, isActive: true }, later), present);
  });

  it('is stamped, never backwards', () => {
    assert.deepEqual(changedEntry(present, { label: '' }, later), {
      ...present,
      label: '',
      updatedAt: later,
    });
    const ahead = { ...present, updatedAt: later };
    assert.deepEqual(changedEntry(ahead, { isActive: false }, now), { ...ahead, isActive: false });
  });
});
