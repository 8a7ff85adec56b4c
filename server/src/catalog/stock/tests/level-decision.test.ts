import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideLevel, isWritten, type LevelChange, type LevelState } from '../level-decision.ts';

const now = 1_000;
const byHand: LevelState = { quantity: 5, reserved: 2, sourceAt: 900, isFromFeed: false };
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
    const ahead = { ...fromFeed, sourceAt: 2_000 };
    assert.equal(decideLevel(ahead, change({ expectedQuantity: 4 }), now).outcome, 'conflict');
    assert.equal(decideLevel(ahead, change({ expectedQuantity: 5 }), now).outcome, 'stale');
  });

  it('after the clock was set back keeps the time of a level that was set by hand', () => {
    const decided = decideLevel({ ...byHand, sourceAt: 2_000 }, change({ quantity: 1 }), now);
    assert.ok(isWritten(decided) && decided.after.sourceAt === 2_000);
  });
});

describe('a change of a level by a feed', () => {
  // [catalog-104]
  it('is stale if it is older than the level, and applies at the same instant', () => {
    assert.equal(decideLevel(byHand, change({ fedAt: 899 }), now).outcome, 'stale');
    assert.equal(decideLevel(byHand, change({ quantity: 9, fedAt: 900 }), now).outcome, 'applied');
  });

  it('to the same figures is unchanged, and moves the source time', () => {
    assert.deepEqual(decideLevel(fromFeed, change({ reserved: 2, fedAt: 950 }), now), {
      outcome: 'unchanged',
      after: { ...fromFeed, sourceAt: 950 },
    });
    assert.equal(decideLevel(fromFeed, change({ reserved: 3, fedAt: 950 }), now).outcome, 'applied');
  });
});

describe('any sequence of changes', () => {
  it('never moves the source time of a level back, and has one winner of each guard', () => {
    const few = fc.integer({ min: 0, max: 3 });
    const any = fc.record({
      quantity: few,
      reserved: fc.option(few),
      expectedQuantity: fc.option(few),
      fedAt: fc.option(fc.integer({ min: 0, max: 2_000 })),
    });
    fc.assert(
      fc.property(fc.array(any), (changes) => {
        let level = null as LevelState | null;
        for (const next of changes) {
          const decided = decideLevel(level, next, now);
          if (!isWritten(decided)) continue;
          if (next.expectedQuantity !== null) assert.equal(next.expectedQuantity, level?.quantity ?? 0);
          assert.ok(decided.after.sourceAt >= (level?.sourceAt ?? 0));
          assert.equal(decided.after.quantity, next.quantity);
          level = decided.after as LevelState;
        }
      }),
    );
  });
});
