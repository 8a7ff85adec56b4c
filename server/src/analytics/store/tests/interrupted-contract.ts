import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { aggregate, emptyDirectory, erasing, eventOn, readAll, waiting } from '../../tests/store-samples.ts';
import type { FaultyStore } from './faulty-store.ts';

const first = { from: '2026-01-01', to: '2026-01-01' };
const both = { from: '2026-01-01', to: '2026-01-02' };
const isUnavailable = { code: 'analytics_unavailable' };
/** The end of a transaction, as PostgreSQL's protocol sends it. */
const commit = 'commit\0';
/** The last statement of an aggregation, whose rows are written by then; and that of an erasure that has hidden the learner. */
const [endOfAggregation, endOfErasure] = ['record_aggregated_days', 'forget_hidden_learner'];

/** Writes that are abandoned between what they store and its commit, or right after it. */
export function describeInterrupted(faulty: FaultyStore): void {
  const { store, direct, coordination, newBrandId, countRows, age } = faulty;
  afterEach(() => coordination.restore());

  /** Some time later, everything in the engine has to be what readers see. */
  async function assertNothingIsLeft(brandId: number, events: number): Promise<void> {
    await age();
    await direct.upkeep('2026-01-03');
    const { daily, contents, users, engagement } = await readAll(direct, brandId);
    const visible = [daily, contents, users, engagement].reduce((sum, rows) => sum + rows.length, 0);
    assert.deepEqual(await countRows(brandId), { events, datasets: visible });
  }

  describe('an abandoned write', () => {
    it('of events is never counted, can be sent again, and leaves nothing', async () => {
      const brandId = newBrandId();
      const events = Array.from({ length: 300 }, (_, n) => eventOn('2026-01-01', { learnerId: n % 9 }));
      coordination.cutBefore(commit);
      await assert.rejects(store.appendEvents(brandId, events), isUnavailable);
      await aggregate(direct, brandId, first);
      assert.equal((await readAll(direct, brandId)).daily[0]?.totals.views, 0);
      await coordination.restore();
      assert.equal((await store.appendEvents(brandId, events)).accepted, 300);
      await aggregate(store, brandId, first);
      assert.equal((await readAll(direct, brandId)).daily[0]?.totals.views, 300);
      await assertNothingIsLeft(brandId, 300);
      await aggregate(store, brandId, first);
      assert.equal((await readAll(direct, brandId)).daily[0]?.totals.views, 300);
    });

    it('of datasets is never seen, moves no revision, and leaves nothing', async () => {
      const brandId = newBrandId();
      await direct.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-02')]);
      await aggregate(direct, brandId, both);
      const [before, states] = [await readAll(direct, brandId), await direct.readDatasets(brandId, {}, 10)];
      await direct.appendEvents(brandId, [eventOn('2026-01-01')]);
      coordination.cutBefore(endOfAggregation);
      const aborted = store.aggregate(brandId, first, async () => emptyDirectory, waiting);
      await assert.rejects(aborted, isUnavailable);
      assert.deepEqual(await readAll(direct, brandId), before);
      assert.deepEqual(await direct.readDatasets(brandId, {}, 10), states);
      await coordination.restore();
      await assertNothingIsLeft(brandId, 3);
      assert.deepEqual(await readAll(direct, brandId), before);
      assert.deepEqual(await direct.listDueDays(brandId, '2026-01-02'), ['2026-01-01']);
      await aggregate(store, brandId, first);
      assert.deepEqual(
        (await readAll(direct, brandId)).users.map(({ cumulative }) => cumulative.views),
        [2, 3],
      );
      // Later days keep corrected rows below their correction until they are aggregated again.
      await aggregate(store, brandId, both);
      await assertNothingIsLeft(brandId, 3);
    });

    it('of an erasure removes all rows of the learner or none, and all of them when it is repeated', async () => {
      const brandId = newBrandId();
      await direct.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
      await aggregate(direct, brandId, first);
      coordination.cutBefore(commit);
      await assert.rejects(store.eraseLearner(brandId, 1, erasing), isUnavailable);
      assert.deepEqual(await seenLearners(brandId), [
        [1, 2],
        [1, 2],
      ]);
      await coordination.restore();
      await store.eraseLearner(brandId, 1, erasing);
      assert.deepEqual(await seenLearners(brandId), [[2], [2]]);
      await assertNothingIsLeft(brandId, 1);
    });

    // [D194]
    it('of the rows of an erased learner is finished later, and nobody sees them meanwhile', async () => {
      const brandId = newBrandId();
      await direct.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
      await aggregate(direct, brandId, first);
      coordination.cutBefore(endOfErasure);
      // A store that erases in one transaction succeeds.
      await store
        .eraseLearner(brandId, 1, erasing)
        .catch((error) => assert.equal(error.code, isUnavailable.code));
      assert.deepEqual(await seenLearners(brandId), [[2], [2]]);
      await coordination.restore();
      await aggregate(direct, brandId, first);
      assert.equal((await readAll(direct, brandId)).daily[0]?.totals.views, 1);
      await assertNothingIsLeft(brandId, 1);
    });
  });

  it('a write whose commit was done and whose answer was lost counts once', async () => {
    const brandId = newBrandId();
    const events = Array.from({ length: 50 }, () => eventOn('2026-01-01'));
    const lost = coordination.loseAnswerTo(commit);
    await store.appendEvents(brandId, events).catch((error) => assert.equal(error.code, isUnavailable.code));
    await lost;
    const { accepted, duplicates } = await store.appendEvents(brandId, events);
    assert.deepEqual([accepted, duplicates], [0, 50]);
    await aggregate(store, brandId, first);
    assert.equal((await readAll(direct, brandId)).daily[0]?.totals.views, 50);
    await assertNothingIsLeft(brandId, 50);
  });

  async function seenLearners(brandId: number): Promise<number[][]> {
    const { users, engagement } = await readAll(direct, brandId);
    return [users, engagement].map((rows) => rows.map(({ learnerId }) => learnerId));
  }
}
