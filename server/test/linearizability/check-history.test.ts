// processes: searches histories that nothing explains
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CasCall, casModel } from './cas-model.ts';
import { checkHistory } from './check-history.ts';
import type { Operation } from './operation.ts';
import {
  type CasHistory,
  endOf,
  historyOf,
  isLinearizableByBruteForce,
  type Move,
} from './random-history.ts';

const never = Number.POSITIVE_INFINITY;

/** One operation: `[invoked, returned, call]`. */
function history(...operations: readonly [number, number, CasCall][]): Operation<CasCall>[] {
  return operations.map(([invokedAt, returnedAt, call]) => ({ invokedAt, returnedAt, call }));
}

const write = (value: number): CasCall => ({ kind: 'write', value });
const read = (value: number): CasCall => ({ kind: 'read', value });
const cas = (expected: number, value: number): CasCall => ({ kind: 'cas', expected, value, current: null });
const refused = (expected: number, current: number): CasCall => ({
  kind: 'cas',
  expected,
  value: 99,
  current,
});
const lost = (value: number): CasCall => ({ kind: 'lost_write', value });
const verdictOf = (operations: CasHistory) => checkHistory(casModel, operations).verdict;

describe('the checker accepts', () => {
  const accepted: readonly [string, CasHistory][] = [
    ['an empty history', []],
    [
      'concurrent writes seen in either order',
      history([0, 9, write(1)], [1, 8, write(2)], [10, 11, read(1)]),
    ],
    [
      'a read under way that sees what a concurrent write is about to do',
      history([0, 9, write(1)], [1, 2, read(1)]),
    ],
    ['a read of the old value while a write is under way', history([0, 9, write(1)], [1, 2, read(0)])],
    ['one winner of two guarded writes', history([0, 5, cas(0, 1)], [0, 5, refused(0, 1)], [6, 7, read(1)])],
    ['a lost write that is seen late', history([0, never, lost(1)], [2, 3, read(0)], [4, 5, read(1)])],
    ['a lost write that never happened', history([0, never, lost(1)], [2, 3, read(0)], [4, 5, read(0)])],
    ['operations that touch', history([0, 5, write(1)], [5, 6, read(0)])],
  ];
  for (const [name, operations] of accepted)
    it(name, () => assert.equal(verdictOf(operations), 'linearizable'));
});

describe('the checker finds', () => {
  const broken: readonly [string, CasHistory][] = [
    ['a lost update', history([0, 5, cas(0, 1)], [1, 6, cas(0, 2)], [7, 8, read(2)])],
    ['a stale read', history([0, 1, write(1)], [2, 3, write(2)], [4, 5, read(1)])],
    ['a write applied twice', history([0, 1, write(1)], [2, 3, write(2)], [4, 5, read(2)], [6, 7, read(1)])],
    ['two reads in the wrong order', history([0, 9, write(1)], [1, 2, read(1)], [3, 4, read(0)])],
    ['a refusal that names a value nobody wrote', history([0, 1, write(1)], [2, 3, refused(7, 5)])],
    ['a refusal although the guard held', history([0, 1, write(1)], [2, 3, refused(1, 1)])],
    ['an acknowledged write that is gone', history([0, 1, write(1)], [2, 3, read(0)])],
    [
      'a lost write that is seen and then gone',
      history([0, never, lost(1)], [2, 3, read(1)], [4, 5, read(0)]),
    ],
    ['a read before the write that it shows', history([0, 1, read(1)], [2, 3, write(1)])],
  ];
  for (const [name, operations] of broken) it(name, () => assert.equal(verdictOf(operations), 'violation'));

  it('the operation that does not fit, and says what was under way', () => {
    const result = checkHistory(casModel, history([0, 1, write(1)], [2, 9, cas(7, 2)], [3, 4, read(3)]));
    assert.ok(result.verdict === 'violation');
    assert.deepEqual(result.evidence.stuckAt.call, read(3));
    assert.deepEqual(
      result.evidence.open.map(({ call }) => call),
      [cas(7, 2)],
    );
  });
});

const kinds = ['write', 'read', 'cas', 'wrong_cas', 'lost_write', 'never_done_write'] as const;
const move = (longest: number): fc.Arbitrary<Move> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    before: fc.nat({ max: longest * 10 }).map((tenths) => tenths / 10),
    after: fc.nat({ max: longest * 10 }).map((tenths) => tenths / 10),
  });
/** At most three lost responses: each stays open until the end of the history and doubles the search. */
const moves = (count: number) =>
  fc.array(move(4), { minLength: 1, maxLength: count, size: 'max' }).map((chosen) => {
    let lostOnes = 0;
    return chosen.map((one): Move => {
      if (one.kind.endsWith('write') && one.kind !== 'write') lostOnes += 1;
      return lostOnes > 3 && one.kind !== 'write' ? { ...one, kind: 'read' } : one;
    });
  });

it('accepts every history of a linearizable register', () => {
  fc.assert(
    fc.property(moves(120), (chosen) => assert.equal(verdictOf(historyOf(chosen)), 'linearizable')),
    { numRuns: 100 },
  );
});

it('agrees with trying every order, on small histories with one response or time changed at random', () => {
  const change = fc.record({
    index: fc.nat(),
    value: fc.nat({ max: 7 }),
    shift: fc.integer({ min: -60, max: 60 }),
  });
  let violations = 0;
  fc.assert(
    fc.property(
      fc.array(move(3), { minLength: 2, maxLength: 7, size: 'max' }),
      fc.array(change, { maxLength: 3 }),
      (chosen, changes) => {
        const operations = historyOf(chosen);
        for (const { index, value, shift } of changes) {
          const at = index % operations.length;
          const { call, invokedAt, returnedAt } = operations[at] as Operation<CasCall>;
          operations[at] = {
            call:
              call.kind === 'cas' && call.current !== null ? { ...call, current: value } : { ...call, value },
            invokedAt: invokedAt + shift,
            returnedAt: returnedAt + shift,
          };
        }
        const expected = isLinearizableByBruteForce(casModel.next, operations);
        if (!expected) violations += 1;
        assert.equal(verdictOf(operations), expected ? 'linearizable' : 'violation');
      },
    ),
    { numRuns: 2_000 },
  );
  assert.ok(violations > 200, `${violations} of the histories were broken`);
});

/** Each adds operations to a valid history that no order explains. Their values are written nowhere else. */
const breakages: readonly [string, (from: number) => CasHistory][] = [
  [
    'a lost update',
    (t) => history([t, t + 1, write(5e5)], [t + 2, t + 5, cas(5e5, 6e5)], [t + 3, t + 6, cas(5e5, 7e5)]),
  ],
  [
    'a stale read',
    (t) => history([t, t + 1, write(5e5)], [t + 2, t + 3, write(6e5)], [t + 4, t + 5, read(5e5)]),
  ],
  [
    'a write applied twice',
    (t) => history([t, t + 1, write(5e5)], [t + 2, t + 3, cas(5e5, 6e5)], [t + 4, t + 5, refused(0.5, 5e5)]),
  ],
  ['a phantom current value', (t) => history([t, t + 1, refused(0.5, 5e5)])],
  [
    'reads across real time',
    (t) => history([t, t + 9, write(5e5)], [t + 1, t + 2, read(5e5)], [t + 3, t + 4, refused(5e5, 5e5)]),
  ],
];

for (const [name, breakage] of breakages)
  it(`finds ${name} behind any valid history, with operations of it still under way`, () => {
    fc.assert(
      fc.property(moves(60), fc.nat({ max: 30 }), (chosen, overlap) => {
        const valid = historyOf(chosen);
        const from = Math.max(endOf(valid) - overlap, 1 + chosen.length * 10);
        assert.equal(verdictOf([...valid, ...breakage(from)]), 'violation');
      }),
      { numRuns: 50 },
    );
  });

it('says "undecided" when its limit is reached, and never that the history is fine', () => {
  const hard = Array.from({ length: 40 }, (_, index) => [0, 100, write(index)] as [number, number, CasCall]);
  const result = checkHistory(casModel, history(...hard, [101, 102, read(-1)]), { steps: 10_000 });
  assert.equal(result.verdict, 'undecided');
});
