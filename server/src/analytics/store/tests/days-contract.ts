import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aggregate, emptyDirectory, erasing, eventOn, waiting } from '../../tests/store-samples.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

export function describeDays({ store, newBrandId }: StoreUnderTest): void {
  const day = (date: string) => ({ from: date, to: date });

  describe('days that are due', () => {
    it('are yesterday alone for a brand without events', async () => {
      assert.deepEqual(await store.listDueDays(newBrandId(), '2026-01-10'), ['2026-01-10']);
    });

    it('are also days of any age with events that no aggregation included, but none that is not over', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [
        eventOn('1999-12-31'),
        eventOn('2026-01-04'),
        eventOn('2026-01-11'),
        eventOn('2026-01-12'),
      ]);
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-10'), [
        '1999-12-31',
        '2026-01-04',
        '2026-01-10',
      ]);
    });

    it('include the days missed since the last aggregation, even without events', async () => {
      const brandId = newBrandId();
      await aggregate(store, brandId, day('2026-01-06'));
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-09'), [
        '2026-01-07',
        '2026-01-08',
        '2026-01-09',
      ]);
    });

    it('include gaps between aggregated days', async () => {
      const brandId = newBrandId();
      for (const date of ['2026-01-01', '2026-01-02', '2026-01-05'])
        await aggregate(store, brandId, day(date));
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-05'), ['2026-01-03', '2026-01-04']);
    });

    it('include aggregated days with late events, until they are aggregated again', async () => {
      const brandId = newBrandId();
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-05' });
      await store.appendEvents(brandId, [eventOn('2026-01-03')]);
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-05'), ['2026-01-03']);
      await store.appendEvents(brandId, [eventOn('2026-01-05')]);
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-05'), ['2026-01-03', '2026-01-05']);
      for (const date of ['2026-01-05', '2026-01-03']) await aggregate(store, brandId, day(date));
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-05'), []);
    });

    it('do not include days with only duplicates since', async () => {
      const brandId = newBrandId();
      const event = eventOn('2026-01-03');
      await store.appendEvents(brandId, [event]);
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-05' });
      await store.appendEvents(brandId, [event]);
      assert.deepEqual(await store.listDueDays(brandId, '2026-01-05'), []);
    });
  });

  describe('days without a learner', () => {
    it('are marked when they were aggregated without their events, and no others', async () => {
      const brandId = newBrandId();
      const days = ['2026-01-01', '2026-01-02', '2026-01-03'] as const;
      const [first, second, third] = days;
      await store.appendEvents(brandId, [
        ...days.map((day) => eventOn(day)),
        eventOn(second, { learnerId: 2 }),
      ]);
      await aggregate(store, brandId, { from: first, to: first });
      await aggregate(store, brandId, { from: second, to: second }, { excludedLearnerIds: [1] });
      assert.equal(await store.markDaysWithout(brandId, [1, 2, 3], 'skip'), true);
      assert.deepEqual(await store.listDueDays(brandId, second), [second]);
      await aggregate(store, brandId, { from: second, to: second });
      await store.markDaysWithout(brandId, [1], 'wait');
      assert.deepEqual(await store.listDueDays(brandId, second), []);
      assert.deepEqual(await store.listDueDays(brandId, third), [third]);
    });
  });

  describe('aggregated days', () => {
    it('are listed newest first, with their time, their rows, and whether events came since', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-02')]);
      const at = new Date('2026-01-04T00:05:07.123Z');
      await store.aggregate(brandId, { from: '2026-01-01', to: '2026-01-03' }, async () => emptyDirectory, {
        at,
        whenBusy: 'wait',
      });
      await store.appendEvents(brandId, [eventOn('2026-01-03'), eventOn('2026-01-04')]);
      const empty = { daily: 1, contents: 0, users: 0, content_engagement: 0 };
      const full = { daily: 1, contents: 1, users: 1, content_engagement: 1 };
      const days = [
        { day: '2026-01-03', aggregatedAt: at, rows: empty, isDirty: true },
        { day: '2026-01-02', aggregatedAt: at, rows: full, isDirty: false },
        { day: '2026-01-01', aggregatedAt: at, rows: empty, isDirty: false },
      ];
      assert.deepEqual(await store.listAggregatedDays(brandId, { size: 50, offset: 0 }), {
        rows: days,
        total: 3,
      });
      assert.deepEqual(await store.listAggregatedDays(brandId, { size: 1, offset: 1 }), {
        rows: [days[1]],
        total: 3,
      });
      assert.deepEqual(await store.listAggregatedDays(brandId, { size: 50, offset: 50 }), {
        rows: [],
        total: 3,
      });
    });
  });

  describe('the calendar of days', () => {
    // [D158]
    it('has every day of the range, newest first, with late events, rows and revisions', async () => {
      const brandId = newBrandId();
      const repeated = eventOn('2026-01-02');
      await store.appendEvents(brandId, [repeated, eventOn('2026-01-02')]);
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-02' });
      await store.appendEvents(brandId, [repeated, eventOn('2026-01-02'), eventOn('2026-01-04')]);
      await store.appendEvents(brandId, [eventOn('2026-01-02'), eventOn('2026-01-04', { learnerId: 2 })]);
      const days = await store.listDatasetDays(brandId, { from: '2026-01-01', to: '2026-01-04' });
      assert.deepEqual(
        days.map(({ day, aggregatedAt, rows, isDirty, lateEvents, isDropped }) => [
          ...[day, aggregatedAt, rows?.users ?? null, isDirty, lateEvents, isDropped],
        ]),
        [
          ['2026-01-04', null, null, true, 2, false],
          ['2026-01-03', null, null, false, 0, false],
          ['2026-01-02', waiting.at, 1, true, 2, false],
          ['2026-01-01', waiting.at, 0, false, 0, false],
        ],
      );
      const [fourth, , second] = days;
      assert.deepEqual([fourth?.revisions, fourth?.refreshedAt], [null, null]);
      assert.deepEqual(second?.revisions, { daily: 1, contents: 1, users: 1, content_engagement: 1 });
      assert.deepEqual(second?.refreshedAt, waiting.at);
      await aggregate(store, brandId, { from: '2026-01-02', to: '2026-01-02' });
      const [again] = await store.listDatasetDays(brandId, { from: '2026-01-02', to: '2026-01-02' });
      assert.deepEqual([again?.isDirty, again?.lateEvents, again?.revisions?.users], [false, 0, 2]);
      assert.deepEqual(await store.listDatasetDays(brandId, { from: '2026-01-02', to: '2026-01-01' }), []);
    });

    it('counts no event twice and none too few when days are marked at once', async () => {
      const brandId = newBrandId();
      const batches = Array.from({ length: 8 }, () =>
        Array.from({ length: 25 }, (_, n) => eventOn(n % 2 === 0 ? '2026-01-05' : '2026-01-06')),
      );
      await Promise.all(batches.map((events) => store.appendEvents(brandId, events)));
      const days = await store.listDatasetDays(brandId, { from: '2026-01-05', to: '2026-01-06' });
      assert.deepEqual(
        days.map(({ lateEvents }) => lateEvents),
        [8 * 12, 8 * 13],
      );
    });
  });

  describe('the days of a learner', () => {
    it('are those with events, and those whose aggregation has counted the learner', async () => {
      const brandId = newBrandId();
      const none = { firstDay: null, lastDay: null, aggregatedDays: [] };
      assert.deepEqual(await store.readLearnerActivity(brandId, 1), none);
      const days = ['2025-11-30', '2026-01-02', '2026-01-05'] as const;
      await store.appendEvents(
        brandId,
        days.flatMap((day) => [eventOn(day), eventOn(day, { learnerId: 2 })]),
      );
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-01-05' });
      const of = async () => (await store.readLearnerActivity(brandId, 1)).aggregatedDays;
      assert.deepEqual(await store.readLearnerActivity(brandId, 1), {
        firstDay: '2025-11-30',
        lastDay: '2026-01-05',
        aggregatedDays: ['2026-01-02', '2026-01-05'],
      });
      await aggregate(store, brandId, day('2026-01-02'), { excludedLearnerIds: [1] });
      assert.deepEqual(await of(), ['2026-01-05']);
      await store.eraseLearner(brandId, 1, erasing);
      assert.deepEqual(await store.readLearnerActivity(brandId, 1), none);
      assert.equal((await store.readLearnerActivity(brandId, 2)).aggregatedDays.length, 2);
    });
  });

  describe('the lag of brands', () => {
    it('names the brand that is furthest behind first', async () => {
      const [ahead, behind, never, dirty] = [newBrandId(), newBrandId(), newBrandId(), newBrandId()];
      await aggregate(store, ahead, day('2026-01-10'));
      await aggregate(store, behind, { from: '2026-01-07', to: '2026-01-08' });
      await store.appendEvents(behind, [eventOn('2026-01-07'), eventOn('2026-01-09')]);
      await aggregate(store, dirty, day('2026-01-10'));
      await store.appendEvents(dirty, [eventOn('2026-01-10')]);
      const ids = [ahead, behind, never, dirty];
      assert.deepEqual(await store.listLags(ids, { size: 50, offset: 0 }), [
        { brandId: never, latestDay: null, dirtyDays: 0 },
        { brandId: behind, latestDay: '2026-01-08', dirtyDays: 2 },
        { brandId: dirty, latestDay: '2026-01-10', dirtyDays: 1 },
        { brandId: ahead, latestDay: '2026-01-10', dirtyDays: 0 },
      ]);
      const page = await store.listLags(ids, { size: 1, offset: 1 });
      assert.deepEqual(
        page.map(({ brandId }) => brandId),
        [behind],
      );
    });
  });

  describe('upkeep', () => {
    it('finds nothing to do the second time, and keeps the events that arrived before', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [
        eventOn('2026-01-31'),
        eventOn('2026-02-28'),
        eventOn('2026-04-01'),
      ]);
      await store.upkeep('2026-01-15');
      assert.deepEqual(await store.upkeep('2026-01-15'), { done: [] });
      await store.appendEvents(brandId, [eventOn('2026-02-28'), eventOn('2026-03-31')]);
      await aggregate(store, brandId, { from: '2026-01-01', to: '2026-04-30' });
      const { rows } = await store.listDaily(
        brandId,
        { range: { from: '2026-01-01', to: '2026-04-30' }, of: 'brand' },
        { size: 200, offset: 0 },
      );
      const active = rows.filter(({ totals }) => totals.views > 0);
      assert.deepEqual(
        active.map((row) => [row.day, row.totals.views]),
        [
          ['2026-01-31', 1],
          ['2026-02-28', 2],
          ['2026-03-31', 1],
          ['2026-04-01', 1],
        ],
      );
    });
  });
}
