import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregate, erasing, eventOn, listLearnerDays, readAll } from '../../tests/store-samples.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

export function describeEvents({ store, newBrandId }: StoreUnderTest): void {
  describe('events', () => {
    it('are stored once, even if they are sent several times', async () => {
      const brandId = newBrandId();
      const events = [eventOn('2026-01-01'), eventOn('2026-01-02')];
      assert.deepEqual(await store.appendEvents(brandId, events), {
        accepted: 2,
        duplicates: 0,
        keptSince: null,
      });
      assert.deepEqual(await store.appendEvents(brandId, [...events, eventOn('2026-01-02')]), {
        accepted: 1,
        duplicates: 2,
        keptSince: null,
      });
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-02' });
      assert.deepEqual(
        (await readAll(store, brandId)).daily.map(({ totals }) => totals.views),
        [1, 2],
      );
    });

    it('that repeat an id within a call, or on another day, are duplicates of the first', async () => {
      const brandId = newBrandId();
      const first = eventOn('2026-01-01', { eventId: 'same', xpEarned: 1 });
      const again = { ...first, day: '2026-01-02', xpEarned: 5 };
      assert.deepEqual(await store.appendEvents(brandId, [first, again]), {
        accepted: 1,
        duplicates: 1,
        keptSince: null,
      });
      assert.deepEqual(await store.appendEvents(brandId, [again]), {
        accepted: 0,
        duplicates: 1,
        keptSince: null,
      });
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-02' });
      assert.deepEqual(
        (await readAll(store, brandId)).daily.map(({ totals }) => totals.xpEarned),
        [1, 0],
      );
    });

    it('are stored once when 50 calls send them at the same time in different orders', async () => {
      const brandId = newBrandId();
      const events = Array.from({ length: 40 }, (_, index) =>
        eventOn(`2026-01-0${(index % 5) + 1}`, { xpEarned: 1 }),
      );
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          store.appendEvents(brandId, [...events.slice(index % 40), ...events.slice(0, index % 40)]),
        ),
      );
      assert.equal(
        results.reduce((sum, { accepted }) => sum + accepted, 0),
        40,
      );
      assert.equal(
        results.reduce((sum, { duplicates }) => sum + duplicates, 0),
        49 * 40,
      );
      const { daily } = await aggregatedAll(brandId, '2026-01-05');
      assert.equal(daily.at(-1)?.cumulative.xpEarned, 40);
    });

    it('of one brand do not affect another, even with the same ids', async () => {
      const [one, other] = [newBrandId(), newBrandId()];
      const event = eventOn('2026-01-01');
      await store.appendEvents(one, [event]);
      assert.deepEqual(await store.appendEvents(other, [event]), {
        accepted: 1,
        duplicates: 0,
        keptSince: null,
      });
      await store.eraseLearner(other, event.learnerId, erasing);
      assert.equal((await aggregatedAll(one, '2026-01-01')).users.length, 1);
      assert.equal((await aggregatedAll(other, '2026-01-01')).users.length, 0);
    });

    it('may be an empty list', async () => {
      assert.deepEqual(await store.appendEvents(newBrandId(), []), {
        accepted: 0,
        duplicates: 0,
        keptSince: null,
      });
    });
  });

  describe('erasing a learner', () => {
    it('removes the rows of the learner at once, and keeps the values of the other datasets', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
      const before = await aggregatedAll(brandId, '2026-01-01');
      await store.eraseLearner(brandId, 1, erasing);
      const after = await readAll(store, brandId);
      assert.deepEqual([after.daily, after.contents], [before.daily, before.contents]);
      assert.deepEqual(
        [after.users, after.engagement].map((rows) => rows.map(({ learnerId }) => learnerId)),
        [[2], [2]],
      );
    });

    it('marks no day, and changes the values when a day is aggregated again', async () => {
      const brandId = newBrandId();
      for (const day of ['2026-01-01', '2026-01-02'])
        await store.appendEvents(brandId, [eventOn(day), eventOn(day, { learnerId: 2 })]);
      await aggregatedAll(brandId, '2026-01-02');
      await store.eraseLearner(brandId, 1, erasing);
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-03'), ['2026-01-03']);
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-01' });
      const { daily, contents } = await readAll(store, brandId);
      assert.deepEqual(
        daily.map(({ totals, cumulative }) => [totals.views, cumulative.views]),
        [
          [1, 1],
          [2, 3],
        ],
      );
      assert.deepEqual(
        contents.map(({ activeLearners, cumulative }) => [activeLearners, cumulative.views]),
        [
          [1, 1],
          [2, 3],
        ],
      );
    });

    it('changes nothing if the learner is unknown', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01')]);
      await store.eraseLearner(brandId, 77, erasing);
      await aggregatedAll(brandId, '2026-01-01');
      assert.equal((await listLearnerDays(store, brandId)).length, 1);
    });
  });

  async function aggregatedAll(brandId: number, to: string) {
    await aggregate(store, brandId, { from: '2026-01-01', to });
    return readAll(store, brandId);
  }
}
