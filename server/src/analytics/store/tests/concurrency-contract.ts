import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, toRanges } from '../../day.ts';
import {
  aggregate,
  emptyDirectory,
  erasing,
  eventOn,
  listLearnerDays,
  readAll,
  waiting,
} from '../../tests/store-samples.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const day = { from: '2026-01-01', to: '2026-01-01' };

export function describeConcurrency({ store, newBrandId }: StoreUnderTest): void {
  /** Starts an aggregation that pauses in the middle until it is released. */
  async function startAggregation(brandId: number) {
    const started = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const result = store.aggregate(
      brandId,
      day,
      async () => {
        started.resolve();
        await released.promise;
        return emptyDirectory;
      },
      waiting,
    );
    await started.promise;
    return { result, release: released.resolve };
  }

  describe('two aggregations of a brand', () => {
    it('never run at once: the second is skipped on request', async () => {
      const brandId = newBrandId();
      const first = await startAggregation(brandId);
      const directory = async () => assert.fail('its turn has not come');
      const skipped = await store.aggregate(brandId, day, directory, { ...waiting, whenBusy: 'skip' });
      assert.equal(skipped, null);
      first.release();
      assert.equal((await first.result)?.days, 1);
    });

    // [D157]
    it('never run at once: the second waits, and reads its directory after the wait', async () => {
      const brandId = newBrandId();
      const first = await startAggregation(brandId);
      let isReleased = false;
      const second = store.aggregate(
        brandId,
        day,
        async () => {
          assert.ok(isReleased);
          return emptyDirectory;
        },
        waiting,
      );
      // Another brand is not blocked, which also gives the second aggregation time to fail the test.
      assert.equal((await aggregate(store, newBrandId(), day)).days, 1);
      isReleased = true;
      first.release();
      assert.deepEqual([(await first.result)?.days, (await second)?.days], [1, 1]);
    });

    it('have the same result as one, even with a dozen at once', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01'), eventOn('2026-01-02')]);
      const range = { from: '2026-01-01', to: '2026-01-02' };
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          aggregate(store, brandId, index % 2 === 0 ? range : { from: '2026-01-02', to: '2026-01-02' }),
        ),
      );
      const { daily, users } = await readAll(store, brandId);
      assert.deepEqual(
        [daily, users].map((rows) => rows.map(({ cumulative }) => cumulative.views)),
        [
          [1, 2],
          [1, 2],
        ],
      );
    });
  });

  describe('while an aggregation runs', () => {
    // [analytics-41]
    it('readers see the previous rows, and events are ingested', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01')]);
      await aggregate(store, brandId, day);
      const running = await startAggregation(brandId);
      assert.equal((await readAll(store, brandId)).daily[0]?.totals.views, 1);
      assert.equal((await store.appendEvents(brandId, [eventOn('2026-01-01')])).accepted, 1);
      running.release();
      await running.result;
    });

    it('no event is lost: a day stays marked unless its last event is counted', async () => {
      const brandId = newBrandId();
      const range = { from: '2026-01-01', to: '2026-01-03' };
      let isSending = true;
      const send = async (worker: number) => {
        for (let index = 0; index < 40; index += 1) {
          await store.appendEvents(brandId, [
            eventOn(addDays(range.from, index % 3), { learnerId: worker }),
            eventOn(addDays(range.from, (index + 1) % 3), { learnerId: worker }),
          ]);
        }
      };
      const aggregateAllTheTime = async () => {
        while (isSending) await aggregate(store, brandId, range);
      };
      const sending = Promise.all([1, 2, 3, 4].map(send)).finally(() => {
        isSending = false;
      });
      await Promise.all([sending, aggregateAllTheTime(), aggregateAllTheTime()]);

      // No more events arrive, so a day that is not marked has to be complete.
      const complete = { '2026-01-01': 27 * 4, '2026-01-02': 27 * 4, '2026-01-03': 26 * 4 };
      const viewsOf = async () => {
        const { daily } = await readAll(store, brandId);
        return Object.fromEntries(daily.map(({ day: date, totals }) => [date, totals.views]));
      };
      const { rows: days } = await store.listAggregatedDays(brandId, { size: 9, offset: 0 });
      const views = await viewsOf();
      for (const { day: date, isDirty } of days)
        if (!isDirty) assert.equal(views[date], complete[date as keyof typeof complete]);
      for (const due of toRanges(await store.listDueDays(brandId, range.to)))
        await aggregate(store, brandId, due);
      assert.deepEqual(await viewsOf(), complete);
    });

    it('an erasure waits, so that no row of the learner is written after it', async () => {
      const brandId = newBrandId();
      await store.appendEvents(brandId, [eventOn('2026-01-01')]);
      const running = await startAggregation(brandId);
      const erasure = store.eraseLearner(brandId, 1, erasing);
      // Another slow operation, which gives the erasure time to overtake if it could.
      await store.appendEvents(newBrandId(), [eventOn('2026-01-01')]);
      running.release();
      await Promise.all([running.result, erasure]);
      assert.deepEqual(await listLearnerDays(store, brandId), []);
    });
  });
}
