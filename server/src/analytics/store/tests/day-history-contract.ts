import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyDirectory, eventOn, waiting } from '../../tests/store-samples.ts';
import type { DatasetName } from '../datasets.ts';
import { keptRevisions } from '../day-history-store.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const on = (date: string) => ({ from: date, to: date });
const [first, third] = ['2026-01-01', '2026-01-03'] as const;

/** Why a day of a dataset has its figures: its last revisions. */
export function describeDayHistories({ store, newBrandId }: StoreUnderTest): void {
  const aggregate = (brandId: number, date: string, reason: 'due' | 'request' | 'repair', at = waiting.at) =>
    store.aggregate(brandId, on(date), async () => emptyDirectory, { ...waiting, at, reason });
  const historyOf = async (brandId: number, day: string, dataset: DatasetName = 'users') => {
    const revisions = await store.listDayRevisions(brandId, dataset, day);
    const numbers = revisions.map(({ revision }) => revision);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
    return revisions.map(({ cause, events, rows }) => [cause, events, rows]);
  };

  // [internal-213]
  describe('the history of a day', () => {
    it('says what was counted and why, of the day and of later ones whose totals moved', async () => {
      const brandId = newBrandId();
      assert.deepEqual(await historyOf(brandId, first), []);
      await store.appendEvents(brandId, [eventOn(first), eventOn(third)]);
      await aggregate(brandId, first, 'due');
      await aggregate(brandId, third, 'due');
      await store.appendEvents(brandId, [eventOn(first), eventOn(first, { learnerId: 2 })]);
      const at = new Date('2026-01-20T14:02:00.123Z');
      await aggregate(brandId, first, 'due', at);
      await aggregate(brandId, first, 'request');
      await aggregate(brandId, third, 'repair');
      assert.deepEqual(await historyOf(brandId, first), [
        ['request', 3, 2],
        ['late_events', 3, 2],
        ['nightly', 1, 1],
      ]);
      assert.deepEqual(await historyOf(brandId, first, 'daily'), [
        ['request', 3, 1],
        ['late_events', 3, 1],
        ['nightly', 1, 1],
      ]);
      assert.deepEqual(await historyOf(brandId, third), [
        ['repair', 1, 1],
        ['late_events', 1, 1],
        ['nightly', 1, 1],
      ]);
      const [, late] = await store.listDayRevisions(brandId, 'users', first);
      const { revision } = (await store.readDatasets(brandId, {}, 10)).users;
      assert.equal(late?.at, at.getTime());
      assert.equal((await store.listDayRevisions(brandId, 'users', third))[0]?.revision, revision);
    });

    it('names opt-outs and what the directory changes, in the datasets that show it', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn(first), eventOn(first, { learnerId: 2 })]);
      await aggregate(brandId, first, 'due');
      const options = { at: waiting.at, whenBusy: 'wait' } as const;
      await store.moveDays(brandId, { kind: 'learner', ids: [2] }, options);
      await store.moveDays(brandId, { kind: 'content', ids: [eventOn(first).contentRefId] }, options);
      assert.deepEqual(await historyOf(brandId, first), [
        ['opt_out', 2, 2],
        ['nightly', 2, 2],
      ]);
      assert.deepEqual(
        (await historyOf(brandId, first, 'contents')).map(([cause]) => cause),
        ['directory', 'nightly'],
      );
      // The nightly run brings back a learner whose rows are missing: the day is marked, without an event.
      await store.aggregate(
        brandId,
        on(first),
        async () => ({ ...emptyDirectory, excludedLearnerIds: [2] }),
        waiting,
      );
      assert.ok(await store.markDaysWithout(brandId, [2], 'wait'));
      await aggregate(brandId, first, 'due');
      assert.deepEqual((await historyOf(brandId, first)).slice(0, 2), [
        ['opt_out', 2, 2],
        ['request', 2, 1],
      ]);
    });

    it('has ten revisions, the last ones', async () => {
      const brandId = newBrandId();
      for (let run = 0; run <= keptRevisions; run += 1) await aggregate(brandId, first, 'due');
      const revisions = await store.listDayRevisions(brandId, 'daily', first);
      const state = await store.readDatasets(brandId, {}, 10);
      assert.deepEqual([revisions.length, revisions[0]?.revision], [keptRevisions, state.daily.revision]);
    });

    it('is that of its brand', async () => {
      const [brandId, other] = [newBrandId(), newBrandId()];
      await aggregate(brandId, first, 'due');
      assert.deepEqual(await historyOf(other, first), []);
    });
  });
}
