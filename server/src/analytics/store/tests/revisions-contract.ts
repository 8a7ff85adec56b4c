import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregate, emptyDirectory, eventOn, waiting } from '../../tests/store-samples.ts';
import { datasetNames } from '../datasets.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const on = (date: string) => ({ from: date, to: date });
const [first, second, third] = ['2026-01-01', '2026-01-02', '2026-01-03'] as const;

/** The ledger of a brand: which days of a dataset changed since a revision, and why. */
export function describeRevisions({ store, newBrandId }: StoreUnderTest): void {
  const changesOf = async (brandId: number, users: number, limit = 1_000) => {
    const { changed, revision } = (await store.readDatasets(brandId, { users }, limit)).users;
    const days = changed?.days.map(({ day, cause }) => [day, cause]);
    return { days, isComplete: changed?.isComplete, revision };
  };

  describe('the revisions of a dataset', () => {
    it('are 0 before the first aggregation', async () => {
      const none = { latestDay: null, oldestDay: null, revision: 0, refreshedAt: null, changed: null };
      assert.deepEqual(
        await store.readDatasets(newBrandId(), {}, 10),
        Object.fromEntries(datasetNames.map((name) => [name, none])),
      );
    });

    it('come with the first and the last aggregated day, regardless of the order of aggregation', async () => {
      const brandId = newBrandId();
      const at = new Date('2026-01-20T00:05:07.123Z');
      for (const date of [third, first])
        await store.aggregate(brandId, on(date), async () => emptyDirectory, { at, whenBusy: 'wait' });
      const states = await store.readDatasets(brandId, {}, 10);
      for (const name of datasetNames)
        assert.deepEqual(
          { ...states[name], revision: 0 },
          { latestDay: third, oldestDay: first, revision: 0, refreshedAt: at, changed: null },
        );
      assert.ok(states.users.revision > 0);
    });

    it('ascend with each aggregation, also of a day that stays the same, only in its brand', async () => {
      const [brandId, bystander] = [newBrandId(), newBrandId()];
      for (const brand of [brandId, bystander]) await aggregate(store, brand, on(first));
      const { revision } = await changesOf(brandId, 0);
      await aggregate(store, brandId, on(first));
      assert.ok((await changesOf(brandId, 0)).revision > revision);
      assert.equal((await changesOf(bystander, 0)).revision, revision);
      assert.deepEqual(await changesOf(bystander, revision), { days: [], isComplete: true, revision });
    });
  });

  // [analytics-45]
  describe('the days changed since a revision', () => {
    it('are the aggregated ones, and later ones whose running totals moved', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn(first), eventOn(third), eventOn(second, { learnerId: 2 })]);
      await aggregate(store, brandId, { from: first, to: third });
      const { days, revision } = await changesOf(brandId, 0);
      assert.deepEqual(days, [
        [first, 'aggregated'],
        [second, 'aggregated'],
        [third, 'aggregated'],
      ]);
      await store.appendEvents(brandId, [eventOn(first)]);
      await aggregate(store, brandId, on(first));
      const changed = await changesOf(brandId, revision);
      // Learner 1 has no row on the second day.
      assert.deepEqual(changed.days, [
        [first, 'aggregated'],
        [third, 'corrected'],
      ]);
      assert.deepEqual(await changesOf(brandId, changed.revision), { ...changed, days: [] });
    });

    it('have the strongest cause since that revision', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn(first), eventOn(second)]);
      await aggregate(store, brandId, { from: first, to: second });
      const { revision: before } = await changesOf(brandId, 0);
      await aggregate(store, brandId, on(second));
      const { revision: between } = await changesOf(brandId, 0);
      await store.appendEvents(brandId, [eventOn(first)]);
      await aggregate(store, brandId, on(first));
      const causeOfSecond = async (since: number) =>
        (await changesOf(brandId, since)).days?.find(([day]) => day === second)?.[1];
      assert.deepEqual(
        [await causeOfSecond(before), await causeOfSecond(between)],
        ['aggregated', 'corrected'],
      );
    });

    it('are incomplete above the limit, and since a revision that was never reached', async () => {
      const brandId = newBrandId();
      await aggregate(store, brandId, { from: first, to: third });
      const { revision } = await changesOf(brandId, 0);
      for (const [limit, isComplete] of [
        [2, false],
        [3, true],
      ] as const) {
        const changed = await changesOf(brandId, 0, limit);
        assert.deepEqual([changed.days?.length, changed.isComplete], [limit, isComplete]);
      }
      assert.deepEqual(await changesOf(brandId, revision + 1), { days: [], isComplete: false, revision });
    });
  });

  // [analytics-45]
  describe('moving the days of a subject', () => {
    const at = new Date('2026-01-21T08:00:00.000Z');
    const options = { at, whenBusy: 'wait' } as const;

    /** Learner 1 is active on the first and the third day, on the third with a quest only; learner 2 on the second. */
    async function newActiveBrand(): Promise<number> {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [
        eventOn(first),
        eventOn(third, { contentRefId: 20, contentType: 'quest' }),
        eventOn(second, { learnerId: 2, contentRefId: 11, marketId: 7 }),
      ]);
      await aggregate(store, brandId, { from: first, to: third }, { marketIds: [7] });
      return brandId;
    }

    /** The changed days of each dataset since revision 1, which the first aggregation had. */
    async function changesSinceFirst(brandId: number) {
      const since = Object.fromEntries(datasetNames.map((name) => [name, 1]));
      const states = await store.readDatasets(brandId, since, 1_000);
      return Object.fromEntries(
        datasetNames.map((name) => [
          name,
          states[name].changed?.days.map(({ day, cause }) => `${day} ${cause}`),
        ]),
      );
    }

    it('changes those with rows of a learner, in the datasets with learners', async () => {
      const brandId = await newActiveBrand();
      const moved = await store.moveDays(brandId, { kind: 'learner', ids: [1, 99] }, options);
      assert.deepEqual(
        Object.entries(moved ?? {}).map(([name, days]) => [name, days.toSorted()]),
        [
          ['users', [first, third]],
          ['content_engagement', [first]],
        ],
      );
      assert.deepEqual(await changesSinceFirst(brandId), {
        daily: [],
        contents: [],
        users: [`${first} exclusion`, `${third} exclusion`],
        content_engagement: [`${first} exclusion`],
      });
      assert.deepEqual((await store.readDatasets(brandId, {}, 0)).users.refreshedAt, at);
    });

    it('changes those with rows of a content, or of a market', async () => {
      const brandId = await newActiveBrand();
      await store.moveDays(brandId, { kind: 'content', ids: [11] }, options);
      await store.moveDays(brandId, { kind: 'market', ids: [7] }, options);
      // A market has a row on every day.
      const allDays = [first, second, third].map((day) => `${day} directory`);
      assert.deepEqual(await changesSinceFirst(brandId), {
        daily: allDays,
        contents: [`${second} directory`],
        users: [],
        content_engagement: [`${second} directory`],
      });
    });

    it('omits days that were moved already', async () => {
      const brandId = await newActiveBrand();
      const subjects = { kind: 'learner', ids: [1, 2] } as const;
      const moved = { users: [first, second], content_engagement: [first, second] };
      await store.moveDays(brandId, subjects, { ...options, moved });
      const { users, content_engagement } = await changesSinceFirst(brandId);
      assert.deepEqual([users, content_engagement], [[`${third} exclusion`], []]);
    });

    it('changes nothing while an aggregation runs, if it is not to wait', async () => {
      const brandId = await newActiveBrand();
      const started = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const readDirectory = async () => {
        started.resolve();
        await released.promise;
        return emptyDirectory;
      };
      const running = store.aggregate(brandId, on(second), readDirectory, waiting);
      await started.promise;
      const subjects = { kind: 'learner', ids: [1] } as const;
      assert.equal(await store.moveDays(brandId, subjects, { at, whenBusy: 'skip' }), null);
      const moving = store.moveDays(brandId, subjects, options);
      released.resolve();
      await Promise.all([running, moving]);
      const { users } = await changesSinceFirst(brandId);
      assert.deepEqual(users, [`${first} exclusion`, `${second} aggregated`, `${third} exclusion`]);
    });

    it('happens with an erasure, unless the rows were not served', async () => {
      const brandId = await newActiveBrand();
      await store.eraseLearner(brandId, 2, { movesDays: false, at });
      assert.deepEqual((await changesSinceFirst(brandId))['users'], []);
      await store.eraseLearner(brandId, 1, { movesDays: true, at });
      assert.deepEqual(await changesSinceFirst(brandId), {
        daily: [],
        contents: [],
        users: [`${first} exclusion`, `${third} exclusion`],
        content_engagement: [`${first} exclusion`],
      });
    });

    it('keeps the cause of an aggregation that the client has not seen', async () => {
      const brandId = await newActiveBrand();
      await aggregate(store, brandId, on(first));
      const { revision } = await changesOf(brandId, 0);
      await store.moveDays(brandId, { kind: 'learner', ids: [1] }, options);
      assert.deepEqual((await changesOf(brandId, 1)).days, [
        [first, 'aggregated'],
        [third, 'exclusion'],
      ]);
      assert.deepEqual((await changesOf(brandId, revision)).days, [
        [first, 'exclusion'],
        [third, 'exclusion'],
      ]);
    });
  });
}
