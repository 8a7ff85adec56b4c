import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { FieldProblems } from '../../field-problems.ts';
import { changesNoField, checkRepeatedValues, maxPosition, withPositions } from '../axis.ts';

const named = (...positions: (number | null)[]) =>
  positions.map((position, index) => ({ value: `v${index}`, label: null, position }));
const positionsOf = (...positions: (number | null)[]) =>
  withPositions(named(...positions)).map(({ position }) => position);

describe('the next free position', () => {
  it('starts at 0', () => assert.deepEqual(positionsOf(null, null, null), [0, 1, 2]));

  it('is the largest earlier position plus one', () =>
    assert.deepEqual(positionsOf(null, 7, null, 3, null), [0, 7, 8, 3, 9]));

  it('leaves given positions unchanged, even equal ones', () =>
    assert.deepEqual(positionsOf(2, 2, 0), [2, 2, 0]));

  it('stops at the largest that the column can store', () =>
    assert.deepEqual(positionsOf(maxPosition, null, null), [maxPosition, maxPosition, maxPosition]));
});

describe('values of a new axis', () => {
  const check = (...values: string[]) => {
    const problems = new FieldProblems();
    checkRepeatedValues(
      values.map((value) => ({ value, label: null, position: null })),
      problems,
    );
    problems.throwIfAny();
  };

  it('may differ only in case', () => check('a', 'A', 'b'));

  it('are refused at each second occurrence', () =>
    assert.throws(
      () => check('a', 'b', 'a', 'b', 'a'),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual(Object.keys(error.details.errors ?? {}), [
          'values.2.value',
          'values.3.value',
          'values.4.value',
        ]);
        return true;
      },
    ));
});

describe('a change of an axis', () => {
  const present = { label: null, position: 1, isActive: true };

  it('changes nothing when every named field already has its value', () => {
    assert.ok(changesNoField(present, {}));
    assert.ok(changesNoField(present, { label: null, position: 1, isActive: true }));
    assert.ok(!changesNoField(present, { label: '' }));
    assert.ok(!changesNoField(present, { isActive: false }));
  });
});
