import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../day.ts';
import { aggregate, emptyDirectory, eventOn, readAll, waiting } from '../../tests/store-samples.ts';
import type { LearningEvent } from '../engine.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const january = { from: '2026-01-01', to: '2026-01-10' };

/** Events of every kind on ten days, some of them more than once. */
function sample(): LearningEvent[] {
  const types = ['episode', 'program', 'quest', 'lesson'];
  const kinds = ['view', 'completion', 'success', 'quiz'] as const;
  return Array.from({ length: 120 }, (_, index) => {
    const kind = kinds[index % 7 > 3 ? 0 : index % 7] as LearningEvent['kind'];
    return eventOn(addDays(january.from, (index * 7) % 10), {
      kind,
      learnerId: 1 + (index % 5),
      contentRefId: 10 + (index % 4),
      contentType: types[index % 4] as string,
      marketId: index % 3 === 0 ? null : index % 3,
      progress: kind === 'view' && index % 2 === 0 ? Number(((index * 3.7) % 100).toFixed(6)) : null,
      score: kind === 'quiz' ? Number(((index * 0.1) % 100).toFixed(6)) : null,
      questions: kind === 'quiz' ? 5 : null,
      answered: kind === 'quiz' ? index % 6 : null,
      timeSpentSeconds: index,
      xpEarned: index % 4,
    });
  });
}

export function describeAggregation({ store, newBrandId }: StoreUnderTest): void {
  describe('aggregation', () => {
    it('adds up exactly, fractions too', async () => {
      const brandId = newBrandId();
      const scores = [0.1, 0.2, 0.3, 99.99];
      await store.appendEvents(
        brandId,
        scores.map((score) => eventOn('2026-01-01', { kind: 'quiz', score, questions: 3, answered: 2 })),
      );
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-01' });
      const { daily, contents, users, engagement } = await readAll(store, brandId);
      const mean = { sum: '100.59', count: 4 };
      assert.deepEqual(daily[0]?.types.episode.score, mean);
      assert.deepEqual([contents[0]?.score, contents[0]?.cumulative.score], [mean, mean]);
      assert.deepEqual(users[0]?.score, mean);
      assert.deepEqual([engagement[0]?.score, engagement[0]?.cumulative.score], [mean, mean]);
      assert.deepEqual(
        [engagement[0]?.questions, engagement[0]?.answered, contents[0]?.questions],
        [12, 8, 12],
      );
    });

    // [analytics-12]
    it('gives every day of the range a daily row for the brand and for each market', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-02', { marketId: 7 })]);
      const { days, rows } = await aggregate(
        store,
        brandId,
        { from: '2026-01-01', to: '2026-01-03' },
        {
          marketIds: [7, 8],
          totalLearners: 4,
          liveContent: { episodes: 1, programs: 2, quests: 3, products: 4 },
        },
      );
      assert.deepEqual([days, rows], [3, { daily: 9, contents: 1, users: 1, content_engagement: 1 }]);
      const { daily, contents } = await readAll(store, brandId, [7, 8]);
      assert.deepEqual(
        daily.map(({ day, marketId, totals, cumulative }) => [day, marketId, totals.views, cumulative.views]),
        [
          ['2026-01-01', null, 0, 0],
          ['2026-01-02', null, 1, 1],
          ['2026-01-03', null, 0, 1],
          ['2026-01-01', 7, 0, 0],
          ['2026-01-01', 8, 0, 0],
          ['2026-01-02', 7, 1, 1],
          ['2026-01-02', 8, 0, 0],
          ['2026-01-03', 7, 0, 1],
          ['2026-01-03', 8, 0, 0],
        ],
      );
      for (const { liveContent } of daily)
        assert.deepEqual(liveContent, { episodes: 1, programs: 2, quests: 3, products: 4 });
      assert.equal(contents[0]?.totalLearners, 4);
    });

    // [analytics-13]
    it('excludes quests from the datasets by content, and includes future content types', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [
        eventOn('2026-01-01', { contentRefId: 1, contentType: 'quest' }),
        eventOn('2026-01-01', { contentRefId: 2, contentType: 'lesson' }),
      ]);
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-01' });
      const { contents, users, engagement } = await readAll(store, brandId);
      assert.deepEqual(
        [...contents, ...engagement].map(({ contentRefId }) => contentRefId),
        [2, 2],
      );
      assert.deepEqual([users[0]?.views, users[0]?.quest.views, users[0]?.episode.views], [2, 1, 0]);
    });

    it('does not count excluded learners, and counts them again after their return', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-01', { learnerId: 2 })]);
      const day = { from: '2026-01-01', to: '2026-01-01' };
      await aggregate(store, brandId, day, { excludedLearnerIds: [2, 99] });
      const without = await readAll(store, brandId);
      assert.deepEqual(
        [without.daily[0]?.activeLearners, without.contents[0]?.uniqueViews, without.users.length],
        [1, 1, 1],
      );
      assert.equal(without.engagement.length, 1);
      await aggregate(store, brandId, day);
      const again = await readAll(store, brandId);
      assert.deepEqual(
        [again.daily[0]?.activeLearners, again.contents[0]?.uniqueViews, again.users.length],
        [2, 2, 2],
      );
    });

    it('may be repeated without changing a row', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, sample());
      const directory = { marketIds: [1, 2], totalLearners: 9 };
      await aggregate(store, brandId, january, directory);
      const before = await readAll(store, brandId, [1, 2]);
      await aggregate(store, brandId, january, directory);
      await aggregate(store, brandId, { from: '2026-01-04', to: '2026-01-06' }, directory);
      assert.deepEqual(await readAll(store, brandId, [1, 2]), before);
    });

    it('ends with the same rows for any order of days', async () => {
      const directory = { marketIds: [1, 2], totalLearners: 9 };
      const events = sample();
      const orders = [
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        [5, 0, 9, 3, 7, 1, 8, 2, 6, 4],
      ];
      const outcomes = [];
      for (const order of orders) {
        const brandId = newBrandId();
        await store.appendEvents(brandId, events);
        for (const offset of order) {
          const day = addDays(january.from, offset);
          await aggregate(store, brandId, { from: day, to: day }, directory);
        }
        outcomes.push(await readAll(store, brandId, [1, 2]));
      }
      const whole = newBrandId();
      await store.appendEvents(whole, events);
      await aggregate(store, whole, january, directory);
      const expected = await readAll(store, whole, [1, 2]);
      for (const outcome of outcomes) assert.deepEqual(outcome, expected);
    });

    it('corrects every later running total after a late event, only in its brand', async () => {
      const [brandId, bystander] = [newBrandId(), newBrandId()];
      for (const brand of [brandId, bystander]) {
        await store.appendEvents(brand, sample());
        await aggregate(store, brand, january, { marketIds: [1, 2] });
      }
      const untouched = await readAll(store, bystander, [1, 2]);
      const late = eventOn('2026-01-03', {
        learnerId: 2,
        contentRefId: 10,
        marketId: 1,
        progress: 12.34,
        xpEarned: 7,
      });
      await store.appendEvents(brandId, [late]);
      await aggregate(store, brandId, { from: '2026-01-03', to: '2026-01-03' }, { marketIds: [1, 2] });

      const whole = newBrandId();
      await store.appendEvents(whole, [...sample(), late]);
      await aggregate(store, whole, january, { marketIds: [1, 2] });
      assert.deepEqual(await readAll(store, brandId, [1, 2]), await readAll(store, whole, [1, 2]));
      assert.deepEqual(await readAll(store, bystander, [1, 2]), untouched);
    });

    it('changes nothing when the directory cannot be read, and succeeds the next time', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01')]);
      const day = { from: '2026-01-01', to: '2026-01-01' };
      const failing = store.aggregate(
        brandId,
        day,
        async () => {
          throw new Error('no directory today');
        },
        waiting,
      );
      await assert.rejects(failing, /no directory today/);
      assert.deepEqual((await readAll(store, brandId)).daily, []);
      assert.equal((await store.readDatasets(brandId, {}, 0)).daily.latestDay, null);
      await store.aggregate(brandId, day, async () => emptyDirectory, waiting);
      assert.equal((await readAll(store, brandId)).daily.length, 1);
    });
  });
}
