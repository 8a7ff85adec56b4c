import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { maxPosition } from '../axis.ts';
import { changedEntry, deletableEntry, newAxis, newAxisValue } from '../axis-rules.ts';

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
  it('starts at 0', () => assert.deepEqual(positionsOf(null, null, null), [0, 1, 2]));

  it('is the largest earlier position plus one', () => {
    assert.deepEqual(positionsOf(null, 7, null, 3, null), [0, 7, 8, 3, 9]);
    assert.equal(newAxis(given, { isTaken: false, lastPosition: 4 }, stamp).position, 5);
    assert.equal(newAxisValue(aValue('s'), { isTaken: false, lastPosition: 4 }, stamp).position, 5);
  });

  it('leaves given positions unchanged, even equal ones', () => {
    assert.deepEqual(positionsOf(2, 2, 0), [2, 2, 0]);
    assert.equal(newAxis({ ...given, position: 1 }, { isTaken: false, lastPosition: 4 }, stamp).position, 1);
  });

  it('stops at the largest that the column can store', () =>
    assert.deepEqual(positionsOf(maxPosition, null, null), [maxPosition, maxPosition, maxPosition]));
});

describe('a new axis', () => {
  it('is active and has one stamp with its values, which are in order', () => {
    const times = { createdAt: now, updatedAt: now };
    const shared = { label: null, isActive: true, ...times };
    assert.deepEqual(withValues(aValue('b', 1), aValue('a', 1), aValue('c', 0)), {
      code: 'size',
      position: 0,
      ...shared,
      values: [
        { value: 'c', position: 0, ...shared },
        { value: 'a', position: 1, ...shared },
        { value: 'b', position: 1, ...shared },
      ],
    });
  });

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

  it('is refused for a taken code, and a value for a taken value', () => {
    const taken = { isTaken: true, lastPosition: 0 };
    assert.throws(() => newAxis(given, taken, () => assert.fail()), { code: 'duplicate_axis_code' });
    assert.throws(() => newAxisValue(aValue('s'), taken, () => assert.fail()), {
      code: 'duplicate_axis_value',
    });
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

  it('does not exist where there was none', () =>
    assert.throws(() => changedEntry<typeof present>(null, {}, now), { code: 'not_found' }));
});

describe('a deletion', () => {
  it('is refused for what does not exist, or is in use', () => {
    assert.throws(() => deletableEntry(null, 'axis_in_use'), { code: 'not_found' });
    assert.throws(() => deletableEntry({ isInUse: true }, 'axis_in_use'), { code: 'axis_in_use' });
    assert.throws(() => deletableEntry({ isInUse: true }, 'value_in_use'), { code: 'value_in_use' });
    const unused = { isInUse: false };
    assert.equal(deletableEntry(unused, 'value_in_use'), unused);
  });
});
