import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FieldProblems } from '../../catalog-requests.ts';
import {
  type AxisSelection,
  checkDetached,
  chooseAxes,
  isSameSelection,
  type LibraryAxis,
  type SelectionBefore,
  type WantedAxis,
} from '../axis-selection.ts';

/** A library of axes `a`, `b`, … (ids 1, 2, …), each with the values `x`, `y`, `z` (ids 10, 20, 30). */
const valueIds = { x: 10, y: 20, z: 30 } as const;
const codes = ['a', 'b', 'c', 'd'] as const;

interface Situation {
  /** Code -> selected values, in the product's order. */
  readonly current: Readonly<Record<string, readonly string[]>>;
  /** Code -> values that live variants carry. */
  readonly carried?: Readonly<Record<string, readonly string[]>>;
  /** Inactive ones, as `a` or `a.x`. */
  readonly inactive?: readonly string[];
}

const axisId = (code: string) => codes.indexOf(code as 'a') + 1;
const idOf = (value: string) => valueIds[value as 'x'];

function beforeOf({ current, carried, inactive = [] }: Situation): SelectionBefore {
  const library = codes.map((code): [string, LibraryAxis] => [
    code,
    {
      id: axisId(code),
      code,
      label: null,
      isActive: !inactive.includes(code),
      values: new Map(
        Object.entries(valueIds).map(([value, id]) => [
          value,
          { id, value, label: null, position: 0, isActive: !inactive.includes(`${code}.${value}`) },
        ]),
      ),
    },
  ]);
  return {
    axisLibrary: new Map(library),
    current: selectionOf(current, inactive),
    hasVariants: carried !== undefined,
    carried: new Map(
      Object.entries(carried ?? {}).map(([code, values]) => [axisId(code), new Set(values.map(idOf))]),
    ),
  };
}

function selectionOf(
  axes: Readonly<Record<string, readonly string[]>>,
  inactive: readonly string[] = [],
): AxisSelection {
  return Object.entries(axes).map(([code, values], position) => ({
    id: axisId(code),
    code,
    label: null,
    position,
    isActive: !inactive.includes(code),
    values: values.map((value) => ({ id: idOf(value), value, label: null, position: 0, isActive: true })),
  }));
}

const want = (axes: Readonly<Record<string, readonly string[]>>): WantedAxis[] =>
  Object.entries(axes).map(([code, values]) => ({ code, values }));

describe('the same selection', () => {
  const current = beforeOf({ current: { a: ['x', 'y'], b: ['z'] } }).current;

  it('is the same regardless of the order of its values', () => {
    assert.ok(isSameSelection(selectionOf({ a: ['y', 'x'], b: ['z'] }), current));
  });

  it('differs when the order of axes, a value, or the number of values differs', () => {
    for (const other of [
      { b: ['z'], a: ['x', 'y'] },
      { a: ['x', 'y'] },
      {},
      { a: ['x', 'y'], b: ['z'], c: ['x'] },
      { a: ['x', 'y'], b: ['y'] },
      { a: ['x'], b: ['z'] },
      { a: ['x', 'y', 'z'], b: ['z'] },
    ])
      assert.ok(!isSameSelection(selectionOf(other), current));
  });

  it('is accepted in every reachable situation', () => {
    const values = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 });
    const selections = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...codes), values), { selector: ([code]) => code })
      .map((entries) => Object.fromEntries(entries));
    const inactive = fc.uniqueArray(fc.constantFrom('a', 'b', 'a.x', 'b.y', 'c.z', 'd'));
    fc.assert(
      fc.property(selections, inactive, fc.boolean(), (current, off, hasVariants) => {
        const situation = { current, inactive: off, ...(hasVariants && { carried: current }) };
        const problems = new FieldProblems();
        const before = beforeOf(situation);
        const chosen = chooseAxes(want(current), before, problems);
        problems.throwIfAny();
        checkDetached(chosen, before);
        assert.ok(isSameSelection(chosen, before.current));
      }),
    );
  });
});
