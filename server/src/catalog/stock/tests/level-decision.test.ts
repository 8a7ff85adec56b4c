import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSourceTime, type SourceTime, sourceTimeOf } from '../../../lib/source-time.ts';
import {
  addChange,
  decideLevel,
  freshAtOf,
  isWritten,
  type LevelChange,
  type LevelState,
  noRollup,
  rollupPart,
} from '../level-decision.ts';

/** The time at this many milliseconds since the Unix epoch. */
const at = (ms: number) => sourceTimeOf(new Date(ms));
const now = at(1_000);
const byHand: LevelState = { quantity: 5, reserved: 2, sourceAt: at(900), isFromFeed: false };
const fromFeed: LevelState = { ...byHand, isFromFeed: true };
const change = (fields: Partial<LevelChange> = {}): LevelChange => {
  return { quantity: 5, reserved: null, expectedQuantity: null, fedAt: null, ...fields };
};

describe('a change of a level by hand', () => {
  // [catalog-85]
  it('is dated now, keeps the reservation, and creates a level that does not exist', () => {
    assert.deepEqual(decideLevel(byHand, change({ quantity: 7 }), now), {
      outcome: 'applied',
      after: { quantity: 7, reserved: 2, sourceAt: now, isFromFeed: false },
    });
    assert.deepEqual(decideLevel(null, change({ quantity: 0 }), now), {
      outcome: 'applied',
      after: { quantity: 0, reserved: 0, sourceAt: now, isFromFeed: false },
    });
  });

  it('to the same quantity is unchanged, and moves the source time', () => {
    assert.deepEqual(decideLevel(byHand, change(), now), {
      outcome: 'unchanged',
      after: { ...byHand, sourceAt: now },
    });
  });

  // [catalog-92]
  it('needs the expected quantity, which is 0 where no level exists; the guard comes before the date', () => {
    assert.equal(decideLevel(byHand, change({ expectedQuantity: 4 }), now).outcome, 'conflict');
    assert.equal(decideLevel(byHand, change({ expectedQuantity: 5 }), now).outcome, 'unchanged');
    assert.equal(decideLevel(null, change({ expectedQuantity: 0 }), now).outcome, 'applied');
    const ahead = { ...fromFeed, sourceAt: at(2_000) };
    assert.equal(decideLevel(ahead, change({ expectedQuantity: 4 }), now).outcome, 'conflict');
    assert.equal(decideLevel(ahead, change({ expectedQuantity: 5 }), now).outcome, 'stale');
  });

  it('after the clock was set back keeps the time of a level that was set by hand', () => {
    const decided = decideLevel({ ...byHand, sourceAt: at(2_000) }, change({ quantity: 1 }), now);
    assert.ok(isWritten(decided) && decided.after.sourceAt === at(2_000));
  });
});

describe('a change of a level by a feed', () => {
  // [catalog-104]
  it('is stale if it is older than the level, and applies at the same instant', () => {
    assert.equal(decideLevel(byHand, change({ fedAt: at(899) }), now).outcome, 'stale');
    assert.equal(decideLevel(byHand, change({ quantity: 9, fedAt: at(900) }), now).outcome, 'applied');
  });

  it('to the same figures is unchanged, and moves the source time', () => {
    assert.deepEqual(decideLevel(fromFeed, change({ reserved: 2, fedAt: at(950) }), now), {
      outcome: 'unchanged',
      after: { ...fromFeed, sourceAt: at(950) },
    });
    assert.equal(decideLevel(fromFeed, change({ reserved: 3, fedAt: at(950) }), now).outcome, 'applied');
  });
});

describe('any sequence of changes', () => {
  it('never moves the source time of a level back, and has one winner of each guard', () => {
    const few = fc.integer({ min: 0, max: 3 });
    const any = fc.record({
      quantity: few,
      reserved: fc.option(few),
      expectedQuantity: fc.option(few),
      fedAt: fc.option(fc.integer({ min: 0, max: 2_000 }).map(at)),
    });
    fc.assert(
      fc.property(fc.array(any), (changes) => {
        let level = null as LevelState | null;
        for (const next of changes) {
          const decided = decideLevel(level, next, now);
          if (!isWritten(decided)) continue;
          if (next.expectedQuantity !== null) assert.equal(next.expectedQuantity, level?.quantity ?? 0);
          assert.ok(decided.after.sourceAt >= (level?.sourceAt ?? ''));
          assert.equal(decided.after.quantity, next.quantity);
          level = decided.after as LevelState;
        }
      }),
    );
  });
});

const sourceAt = parseSourceTime('1970-01-01T00:00:01.234999Z') as SourceTime;
const level = { quantity: 5, reserved: 7, sourceAt, isFromFeed: true };
const own = { variantId: null, variantCounts: false, locationCounts: true };
const ofVariant = { variantId: 3, variantCounts: true, locationCounts: true };

describe('the contribution of a level to its product', () => {
  it('is all of its own stock; reservations beyond the quantity do not make it negative', () => {
    assert.deepEqual(rollupPart(own, level), {
      ...noRollup,
      totalQuantity: 5,
      totalReserved: 7,
      ownLevels: 1,
      ownCountedLevels: 1,
      ownFreshAt: 1_234,
    });
  });

  it('counts only in the totals at an inactive location, and of an inactive variant', () => {
    const totals = { ...noRollup, totalQuantity: 5, totalReserved: 7 };
    const closed = { ...ofVariant, locationCounts: false };
    assert.deepEqual(rollupPart(closed, level), { ...totals, variantLevels: 1 });
    assert.deepEqual(rollupPart({ ...ofVariant, variantCounts: false }, level), totals);
    assert.equal(freshAtOf(closed, level), null);
    assert.equal(freshAtOf({ ...ofVariant, variantCounts: false }, level), null);
  });

  it('is fresh until its time if a feed has set it, and for ever if a person has', () => {
    assert.equal(freshAtOf(own, level), 1_234);
    assert.equal(freshAtOf(ofVariant, { ...level, isFromFeed: false }), Number.POSITIVE_INFINITY);
  });

  it('differs by what changed', () => {
    const after = { ...level, quantity: 9 };
    const sum = addChange(noRollup, rollupPart(ofVariant, level), rollupPart(ofVariant, after));
    assert.deepEqual(sum, { ...noRollup, totalQuantity: 4, variantAvailable: 2, variantFreshAt: 1_234 });
    const created = addChange(sum, rollupPart(own, null), rollupPart(own, level));
    assert.deepEqual([created.ownLevels, created.ownFreshAt], [1, 1_234]);
  });
});
