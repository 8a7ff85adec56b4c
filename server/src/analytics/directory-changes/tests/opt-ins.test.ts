// processes: thousands of learners who opt out and in again
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { putLearners } from '../../../directory/learner-operations.ts';
import { type AuditedTransaction, serverInitiator } from '../../../postgres/transaction.ts';
import { aggregateDueDays } from '../../aggregation/aggregation-service.ts';
import { addDays, daysOf, yesterdayOf } from '../../day.ts';
import { readDirectoryAtAggregation } from '../../directory-reads-store.ts';
import { draftEvent } from '../../tests/draft-events.ts';
import { learnerCount, newModelledBrand } from '../../tests/modelled-brand.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const range = { from: addDays(yesterday, -4), to: yesterday };
const dayAt = (place: number) => addDays(range.from, place);
const only = (place: number) => ({ from: dayAt(place), to: dayAt(place) });

async function dirtyDays({ brandId }: { brandId: number }): Promise<string[]> {
  const { json } = await apps.admin.get(`/brands/${brandId}/aggregations?per_page=100`);
  return json.data
    .flatMap(({ date, dirty }: { date: string; dirty: boolean }) => (dirty ? [date] : []))
    .sort();
}

/** The days of a learner in `/users/daily`. */
async function daysOfLearner({ client }: SeededBrand, user: string): Promise<string[]> {
  const { json } = await client.get(`/analytics/users/daily?from=${range.from}&to=${range.to}&user=${user}`);
  return json.data.map(({ date }: { date: string }) => date);
}

const optOut = (brand: SeededBrand, user: string, analytics_opt_out: boolean) =>
  brand.put('users', [{ tu_id: user, analytics_opt_out }]);

/** `a` is active on days 0, 1 and 3, `b` on all of them. */
async function newActiveBrand(): Promise<SeededBrand> {
  const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
  await brand.send([0, 1, 3].map((place) => ({ day: dayAt(place), user: 'a' })));
  await brand.send([0, 1, 2, 3, 4].map((place) => ({ day: dayAt(place), user: 'b' })));
  await brand.aggregate(range);
  return brand;
}

const nightly = ({ brandId }: { brandId: number }) => aggregateDueDays(apps.context, brandId);

describe('opting in again', () => {
  // [analytics-31]
  it('marks the days of the learner that were aggregated in between, and the nightly run restores their rows', async () => {
    const brand = await newActiveBrand();
    await optOut(brand, 'a', true);
    assert.deepEqual(await dirtyDays(brand), [], 'an opt-out marks none');
    // Day 2 has no event of the learner, and day 3 was not aggregated in between.
    await brand.aggregate({ from: dayAt(0), to: dayAt(2) });
    await optOut(brand, 'a', false);
    assert.deepEqual(await dirtyDays(brand), [dayAt(0), dayAt(1)]);
    assert.deepEqual(await daysOfLearner(brand, 'a'), [dayAt(3)]);
    await nightly(brand);
    assert.deepEqual(await daysOfLearner(brand, 'a'), [dayAt(0), dayAt(1), dayAt(3)]);
    assert.deepEqual(await dirtyDays(brand), []);
    const { json } = await brand.client.get(`/analytics/metrics/daily?from=${range.from}`);
    assert.deepEqual(
      json.data.map((row: { cumulative: { views: number } }) => row.cumulative.views),
      [2, 4, 5, 7, 8],
    );
  });

  // [analytics-31]
  it('marks nothing for a learner who had not opted out, is new, or whose days still count', async () => {
    const brand = await newActiveBrand();
    await brand.put('users', [
      { tu_id: 'a', analytics_opt_out: false },
      { tu_id: 'c', analytics_opt_out: false },
    ]);
    await optOut(brand, 'b', true);
    await optOut(brand, 'b', false);
    assert.deepEqual(await dirtyDays(brand), []);
  });

  it('works for any number of opt-outs and opt-ins', async () => {
    const brand = await newActiveBrand();
    for (const place of [0, 1, 0]) {
      await optOut(brand, 'a', true);
      await brand.aggregate(only(place));
      await optOut(brand, 'a', false);
      await optOut(brand, 'a', true);
      await optOut(brand, 'a', false);
      assert.deepEqual(await dirtyDays(brand), [dayAt(place)]);
      await nightly(brand);
      assert.deepEqual(await daysOfLearner(brand, 'a'), [dayAt(0), dayAt(1), dayAt(3)]);
    }
  });

  it('loses no mark during an aggregation that has already read the opt-out', async () => {
    const brand = await newActiveBrand();
    const { database, analytics } = apps.context;
    await optOut(brand, 'a', true);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let hasRead = false;
    const aggregating = analytics.aggregate(
      brand.brandId,
      only(1),
      async () => {
        const directory = await readDirectoryAtAggregation(database, brand.brandId);
        hasRead = true;
        await held;
        return directory;
      },
      { at: new Date(apps.clock.now()), whenBusy: 'wait' },
    );
    await waitFor('the aggregation to read the directory', async () => hasRead);
    await optOut(brand, 'a', false);
    goOn();
    await aggregating;
    assert.deepEqual(await daysOfLearner(brand, 'a'), [dayAt(0), dayAt(3)]);
    await nightly(brand);
    assert.deepEqual(await daysOfLearner(brand, 'a'), [dayAt(0), dayAt(1), dayAt(3)]);
  });

  it('uses as many statements for 10,000 learners as for one', async () => {
    const brand = await apps.newBrand();
    const tuIds = Array.from({ length: 10_000 }, (_, n) => `many-${n}`);
    const put = async (count: number, analyticsOptOut: boolean) => {
      let statements = 0;
      const returned = await apps.database.auditedTransaction(serverInitiator('job test'), (tx) => {
        const counted = new Proxy(tx, {
          get(target, name: keyof AuditedTransaction) {
            if (typeof target[name] !== 'function') return target[name];
            statements += name === 'run' ? 1 : 0;
            return target[name].bind(target);
          },
        });
        const items = tuIds.slice(0, count).map((tu_id) => ({ tu_id, analytics_opt_out: analyticsOptOut }));
        return putLearners(counted, brand.brandId, items, apps.context.jobs);
      });
      return { statements, returned };
    };
    await put(10_000, true);
    const one = await put(1, false);
    const all = await put(10_000, false);
    assert.deepEqual(all, { ...one, returned: true });
    const count = () => apps.sql('select from learner_returns where brand_id = $1', [brand.brandId]);
    assert.equal((await count()).length, 10_000);
    await nightly(brand);
    assert.equal((await count()).length, 0);
  });

  it('restores every row, and marks no day that would not change', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constantFrom('out' as const, 'in' as const),
        user: fc.integer({ min: 0, max: learnerCount - 1 }),
      }),
      fc.record({ do: fc.constant('aggregate' as const), place: fc.integer({ min: 0, max: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(draftEvent(range.from, 5), { minLength: 10, maxLength: 30 }),
        fc.array(step, { minLength: 3, maxLength: 12 }),
        async (events, steps) => {
          const brand = await newModelledBrand(apps);
          await brand.append(events);
          await brand.aggregate(range);
          for (const each of steps)
            if (each.do === 'aggregate') await brand.aggregate(only(each.place));
            else await brand.setOptOut(each.user, each.do === 'out');
          for (let user = 0; user < learnerCount; user += 1) await brand.setOptOut(user, false);
          const marked = await dirtyDays(brand);
          await nightly(brand);
          for (const day of marked) {
            const before = brand.model.userRows();
            brand.model.aggregate([day]);
            assert.notDeepEqual(brand.model.userRows(), before, `${day} was marked for nothing`);
          }
          await brand.assertServed(range, 100);
          const served = brand.model.userRows();
          brand.model.aggregate(daysOf(range));
          assert.deepEqual(served, brand.model.userRows());
        },
      ),
      { numRuns: 7, endOnFailure: true },
    );
  });
});
