import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../errors/api-error.ts';
import { FieldProblems } from '../../field-problems.ts';
import { type AxisSelection, isSameSelection, type LibraryAxis } from '../axis-selection.ts';
import { checkDetached, chooseAxes, type SelectionGround, type WantedAxis } from '../choose-axes.ts';

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

function groundOf({ current, carried, inactive = [] }: Situation): SelectionGround {
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

function problemsOf(wanted: readonly WantedAxis[], situation: Situation): string[] {
  const problems = new FieldProblems();
  chooseAxes(wanted, groundOf(situation), problems);
  try {
    problems.throwIfAny();
    return [];
  } catch (error) {
    return Object.keys((error as ApiError).details.errors ?? {});
  }
}

const want = (axes: Readonly<Record<string, readonly string[]>>): WantedAxis[] =>
  Object.entries(axes).map(([code, values]) => ({ code, values }));

describe('a selection', () => {
  it('of known axes and values has no problems', () => {
    assert.deepEqual(problemsOf(want({ b: ['x', 'z'], a: ['y'] }), { current: {} }), []);
    assert.deepEqual(problemsOf([], { current: { a: ['x'] } }), []);
  });

  it('reports unknown names at their index, and skips the values of an unknown axis', () => {
    const wanted = want({ a: ['x', 'nope', 'no'], q: ['x', 'nope'] });
    assert.deepEqual(problemsOf(wanted, { current: {} }), [
      'axes.0.values.1',
      'axes.0.values.2',
      'axes.1.code',
    ]);
  });

  it('reports repeated names at their second occurrence', () => {
    const wanted = [...want({ a: ['x', 'y', 'x'] }), ...want({ b: ['x'] }), ...want({ a: ['nope'] })];
    assert.deepEqual(problemsOf(wanted, { current: {} }), ['axes.0.values.2', 'axes.2.code']);
  });

  it('refuses an inactive axis or value that is new, and keeps one that is attached', () => {
    const inactive = ['a', 'b.x'];
    const wanted = want({ a: ['x'], b: ['y', 'x'] });
    assert.deepEqual(problemsOf(wanted, { current: {}, inactive }), ['axes.0.code', 'axes.1.values.1']);
    assert.deepEqual(problemsOf(wanted, { current: { b: ['x'], a: ['x'] }, inactive }), []);
    const another = want({ a: ['y'], b: ['x'] });
    assert.deepEqual(problemsOf(another, { current: { a: ['x'], b: ['y'] }, inactive }), ['axes.1.values.0']);
  });

  it('refuses a new axis while the product has variants, regardless of their values', () => {
    const situation = { current: { a: ['x'] }, carried: { a: ['x'] } };
    assert.deepEqual(problemsOf(want({ b: ['x'], a: ['x'] }), situation), ['axes.0.code']);
    assert.deepEqual(problemsOf(want({ a: ['x', 'y', 'z'] }), situation), []);
  });

  it('refuses to omit a value that a variant uses, at the values of its axis', () => {
    const situation = { current: { a: ['x', 'y'], b: ['x'] }, carried: { a: ['x'], b: ['x'] } };
    assert.deepEqual(problemsOf(want({ b: ['y'], a: ['y'] }), situation), ['axes.0.values', 'axes.1.values']);
    assert.deepEqual(problemsOf(want({ b: ['x'], a: ['x'] }), situation), []);
  });

  it('cannot detach an axis that a variant carries, but can detach any other', () => {
    const ground = groundOf({ current: { a: ['x'], b: ['x'] }, carried: { a: ['x'] } });
    checkDetached(selectionOf({ a: ['x'] }), ground);
    assert.throws(
      () => checkDetached(selectionOf({ b: ['x'] }), ground),
      (error) => error instanceof ApiError && error.code === 'axis_in_use' && error.message.includes('a'),
    );
  });
});

describe('the same selection', () => {
  const current = groundOf({ current: { a: ['x', 'y'], b: ['z'] } }).current;

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
        const ground = groundOf(situation);
        const chosen = chooseAxes(want(current), ground, problems);
        problems.throwIfAny();
        checkDetached(chosen, ground);
        assert.ok(isSameSelection(chosen, ground.current));
      }),
    );
  });
});
