import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiError } from '../../../errors/api-error.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { FieldProblems } from '../../catalog-requests.ts';
import {
  type AxisValues,
  combinationOf,
  combinationReader,
  countCombinations,
  listCombinations,
} from '../combination.ts';
import { anySelection, selectionOf } from './selection.ts';

const tee = selectionOf({ color: ['red', 'blue'], size: ['s', 'm'] });

function combined(axisValues: AxisValues, selection: AxisSelection = tee): string {
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();
  return combination;
}

function fieldsOf(axisValues: AxisValues, selection: AxisSelection = tee): string[] {
  try {
    combined(axisValues, selection);
    return [];
  } catch (error) {
    return Object.keys((error as ApiError).details.errors ?? {});
  }
}

describe('axis values', () => {
  it('have exactly one selected value for each selected axis', () => {
    assert.deepEqual(fieldsOf({ color: 'red', size: 'm' }), []);
    assert.deepEqual(fieldsOf({ color: 'red' }), ['axis_values.size']);
    assert.deepEqual(fieldsOf({}), ['axis_values.color', 'axis_values.size']);
    assert.deepEqual(fieldsOf({ color: 'pink', size: 'm' }), ['axis_values.color']);
    assert.deepEqual(fieldsOf({ color: 'Red', size: '' }), ['axis_values.color', 'axis_values.size']);
    assert.deepEqual(fieldsOf({ color: 'red', size: 'm', fit: 'slim' }), ['axis_values.fit']);
    assert.deepEqual(fieldsOf({ colour: 'red', size: 'm' }), ['axis_values.colour', 'axis_values.color']);
  });

  it('cannot be given if the product selects nothing', () => {
    assert.deepEqual(fieldsOf({}, []), ['axis_values']);
    assert.deepEqual(fieldsOf({ color: 'red' }, []), ['axis_values']);
  });

  it('are not looked up among the properties of every JavaScript object', () => {
    const odd = selectionOf({ constructor: ['x'], toString: ['y'] });
    assert.deepEqual(fieldsOf({}, odd), ['axis_values.constructor', 'axis_values.toString']);
    assert.deepEqual(fieldsOf(JSON.parse('{"__proto__": "red", "color": "red", "size": "s"}')), [
      'axis_values.__proto__',
    ]);
    const proto = selectionOf(JSON.parse('{"__proto__": ["x"]}'));
    assert.deepEqual(fieldsOf(JSON.parse('{"__proto__": "x"}'), proto), []);
    assert.deepEqual(fieldsOf({}, proto), ['axis_values.__proto__']);
  });
});

describe('a stored combination', () => {
  it("is the same for any order of the product's axes", () => {
    const [first, second] = tee as [AxisSelection[number], AxisSelection[number]];
    assert.equal(
      combined({ color: 'red', size: 'm' }),
      combined({ size: 'm', color: 'red' }, [second, first]),
    );
  });

  it('is written in the numeric order of axis ids', () => {
    const axis = (id: number) => ({ ...(tee[0] as AxisSelection[number]), id, code: `a${id}` });
    const selection = [axis(10), axis(9), axis(100)];
    const combination = combined({ a9: 'red', a10: 'blue', a100: 'red' }, selection);
    assert.deepEqual(
      combination.split(',').map((pair) => pair.split(':')[0]),
      ['9', '10', '100'],
    );
  });

  it('is parsed back into the original values, in the order of the axes', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const read = combinationReader(selection);
        for (const axisValues of listCombinations(selection)) {
          const back = read(combined(axisValues, selection));
          assert.deepEqual(Object.entries(back), Object.entries(axisValues));
        }
      }),
    );
  });

  it('represents only one combination', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const all = listCombinations(selection).map((axisValues) => combined(axisValues, selection));
        assert.equal(new Set(all).size, all.length);
      }),
    );
  });
});

describe('the combinations of a selection', () => {
  it('vary the values of the last axis fastest', () => {
    const selection = selectionOf({ color: ['red', 'blue'], size: ['s', 'm'], fit: ['slim'] });
    assert.deepEqual(
      listCombinations(selection).map((axisValues) => Object.values(axisValues).join()),
      ['red,s,slim', 'red,m,slim', 'blue,s,slim', 'blue,m,slim'],
    );
  });

  it('equal those of nested loops, one for each axis', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const expected: string[] = [];
        const nest = (depth: number, chosen: readonly string[]) => {
          const axis = selection[depth];
          if (axis === undefined) expected.push(JSON.stringify(chosen));
          else for (const { value } of axis.values) nest(depth + 1, [...chosen, value]);
        };
        nest(0, []);
        const actual = listCombinations(selection).map((axisValues) =>
          JSON.stringify(selection.map(({ code }) => axisValues[code])),
        );
        assert.deepEqual(actual, expected);
        assert.equal(countCombinations(selection), BigInt(actual.length));
      }),
    );
  });

  it('are counted exactly beyond the range of a number, without being listed', () => {
    const values = Array.from({ length: 60_000 }, (_, i) => `v${i}`);
    const axes = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((code) => [code, values]));
    assert.equal(countCombinations(selectionOf(axes)), 60_000n ** 6n);
  });
});
