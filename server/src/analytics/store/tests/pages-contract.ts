import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addDays } from '../../day.ts';
import {
  aggregate,
  allDays,
  eventOn,
  listContents,
  listEngagement,
  listLearnerDays,
} from '../../tests/store-samples.ts';
import type { ContentEngagementRow, ContentRow, LearnerDayRow } from '../dataset-rows.ts';
import type { DatasetPage } from '../datasets.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const days = { from: '2026-01-01', to: '2026-01-06' };

export function describePages({ store, newBrandId }: StoreUnderTest): void {
  describe('pages', () => {
    const brandId = newBrandId();
    const empty = newBrandId();

    before(async () => {
      const events = Array.from({ length: 150 }, (_, index) =>
        eventOn(addDays(days.from, index % 6), {
          // Ids whose order as strings differs.
          learnerId: [2, 10, 9, 100, 33][Math.floor(index / 6) % 5] as number,
          contentRefId: [7, 70, 11][Math.floor(index / 30) % 3] as number,
          kind: index % 4 === 0 ? 'completion' : 'view',
          marketId: 1 + (index % 2),
        }),
      );
      const typed = events.map((event) => ({
        ...event,
        contentType: event.contentRefId === 7 ? 'program' : 'episode',
      }));
      await store.appendEvents(brandId, typed);
      await aggregate(store, brandId, days, { marketIds: [1, 2] });
    });

    for (const limit of [1, 7, 1000])
      it(`of ${limit} have no gap or repetition, in the order of their key`, async () => {
        const contents = await walk(
          (after: ContentRow | null) => store.listRows(brandId, 'contents', { range: allDays, after, limit }),
          limit,
        );
        assert.deepEqual(contents, await listContents(store, brandId));
        assertAscending(contents.map(({ contentRefId, day }) => [contentRefId, day]));

        const users = await walk(
          (after: LearnerDayRow | null) => store.listRows(brandId, 'users', { range: allDays, after, limit }),
          limit,
        );
        assert.deepEqual(users, await listLearnerDays(store, brandId));
        assertAscending(users.map(({ learnerId, day }) => [learnerId, day]));

        for (const query of [{}, { learnerId: 10 }, { contentRefId: 70 }, { isCompleted: false }]) {
          const range = allDays;
          const rows = await walk(
            (after: ContentEngagementRow | null) =>
              store.listRows(brandId, 'content_engagement', { range, ...query, after, limit }),
            limit,
          );
          assert.deepEqual(rows, await listEngagement(store, brandId, query));
          assertAscending(rows.map(({ contentRefId, day, learnerId }) => [contentRefId, day, learnerId]));
        }
      });

    it('have exactly the rows that match their filters', async () => {
      const contents = await listContents(store, brandId);
      const users = await listLearnerDays(store, brandId);
      const engagement = await listEngagement(store, brandId);
      assert.ok(contents.length > 10 && users.length > 20 && engagement.length > 60);

      const is = async <T>(found: Promise<readonly T[]>, expected: readonly T[]) => {
        assert.ok(expected.length > 0, 'the sample has rows for this filter');
        assert.deepEqual(await found, expected);
      };
      await is(
        listContents(store, brandId, { contentType: 'program' }),
        contents.filter((row) => row.contentRefId === 7),
      );
      await is(
        listContents(store, brandId, { contentRefId: 70, contentType: 'episode' }),
        contents.filter((row) => row.contentRefId === 70),
      );
      await is(
        listLearnerDays(store, brandId, { learnerId: 100 }),
        users.filter((row) => row.learnerId === 100),
      );
      for (const isCompleted of [true, false])
        await is(
          listEngagement(store, brandId, { isCompleted, learnerId: 9 }),
          engagement.filter((row) => row.isCompleted === isCompleted && row.learnerId === 9),
        );
      await is(
        listEngagement(store, brandId, { contentType: 'episode' }),
        engagement.filter((row) => row.contentRefId !== 7),
      );
      const window = { from: '2026-01-02', to: '2026-01-03' };
      await is(
        listEngagement(store, brandId, { range: window }),
        engagement.filter(({ day }) => day >= window.from && day <= window.to),
      );
    });

    it('continue after a key that was deleted', async () => {
      const users = await listLearnerDays(store, brandId);
      const after = { learnerId: 9, day: '2026-01-31' };
      assert.deepEqual(
        (await store.listRows(brandId, 'users', { range: allDays, after, limit: 1000 })).rows,
        users.filter(({ learnerId }) => learnerId > 9),
      );
    });

    it('are empty for a brand, a window or a filter without rows', async () => {
      assert.deepEqual(await listContents(store, empty), []);
      assert.deepEqual(await listLearnerDays(store, brandId, { learnerId: 3 }), []);
      assert.deepEqual(await listEngagement(store, brandId, { contentRefId: 7, contentType: 'episode' }), []);
      for (const range of [
        { from: '2025-01-01', to: '2025-12-31' },
        { from: '2026-01-07', to: '2026-01-31' },
        { from: '2026-01-03', to: '2026-01-02' },
      ]) {
        assert.deepEqual(await listContents(store, brandId, { range }), []);
        assert.deepEqual(await listLearnerDays(store, brandId, { range }), []);
        assert.deepEqual(await listEngagement(store, brandId, { range }), []);
        const daily = await store.listDaily(brandId, { range, of: 'brand' }, { size: 5, offset: 0 });
        assert.deepEqual([daily.rows, daily.total, daily.window.revision], [[], 0, 0]);
      }
    });

    it('of daily rows have the total of all pages, even after the last page', async () => {
      const query = { range: days, of: { marketIds: [2, 1] } } as const;
      const all = await store.listDaily(brandId, query, { size: 100, offset: 0 });
      assert.equal(all.total, 12);
      assertAscending(all.rows.map(({ day, marketId }) => [day, marketId as number]));
      const second = await store.listDaily(brandId, query, { size: 5, offset: 10 });
      const { window } = all;
      assert.deepEqual(second, { rows: all.rows.slice(10), total: 12, window });
      const afterLast = await store.listDaily(brandId, query, { size: 5, offset: 15 });
      assert.deepEqual(afterLast, { rows: [], total: 12, window });
      const ofNone = await store.listDaily(
        brandId,
        { range: days, of: { marketIds: [] } },
        { size: 5, offset: 0 },
      );
      assert.deepEqual(ofNone, { rows: [], total: 0, window });
    });

    // [analytics-48]
    it('come with the revision of the days of their window, and the last day of the dataset', async () => {
      const brand = newBrandId();
      await store.appendEvents(brand, [eventOn(days.from), eventOn(days.to, { learnerId: 2 })]);
      await aggregate(store, brand, days);
      await aggregate(store, brand, { from: days.to, to: days.to });
      const early = { from: days.from, to: addDays(days.from, 2) };
      for (const [range, revision] of [
        [days, 2],
        [early, 1],
        [{ from: '2027-01-01', to: '2027-01-02' }, 0],
      ] as const) {
        const pages = [
          await store.listDaily(brand, { range, of: 'brand' }, { size: 9, offset: 0 }),
          await store.listRows(brand, 'contents', { range, after: null, limit: 9 }),
          await store.listRows(brand, 'users', { range, after: null, limit: 9 }),
          await store.listRows(brand, 'users', {
            ...{ range, learnerId: 1 },
            ...{ after: { learnerId: 1, day: days.to }, limit: 9 },
          }),
          await store.listRows(brand, 'content_engagement', {
            ...{ range, contentRefId: 10 },
            ...{ after: null, limit: 9 },
          }),
        ];
        for (const { window } of pages)
          assert.deepEqual([window.revision, window.latestDay], [revision, days.to]);
        assert.deepEqual(await store.readWindow(brand, 'users', range), pages[2]?.window);
      }
      const { version } = await store.readWindow(brand, 'users', early);
      await aggregate(store, brand, { from: days.to, to: days.to });
      assert.equal((await store.readWindow(brand, 'users', early)).version, version);
      await store.moveDays(brand, { kind: 'learner', ids: [1] }, { at: new Date(), whenBusy: 'wait' });
      assert.notEqual((await store.readWindow(brand, 'users', early)).version, version);
    });
  });
}

async function walk<Row>(
  read: (after: Row | null) => Promise<DatasetPage<Row>>,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { rows: page } = await read(rows.at(-1) ?? null);
    assert.ok(page.length <= limit);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

function assertAscending(keys: readonly (readonly (number | string)[])[]): void {
  for (const [index, key] of keys.entries()) {
    const before = keys[index - 1];
    if (before === undefined) continue;
    const column = key.findIndex((value, place) => value !== before[place]);
    assert.ok(
      column >= 0 && (before[column] as number) < (key[column] as number),
      `${before.join('/')} stands before ${key.join('/')}`,
    );
  }
}
