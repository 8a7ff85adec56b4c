// processes: random events and damage, compared with an independent computation
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { aggregateRange } from '../../analytics/aggregation/aggregation-service.ts';
import { addDays, yesterdayOf } from '../../analytics/day.ts';
import { type Damage, damageOf, inflict } from '../../analytics/tests/dataset-damage.ts';
import { draftEvent } from '../../analytics/tests/draft-events.ts';
import { learnerCount, newModelledBrand } from '../../analytics/tests/modelled-brand.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { examineAnalytics } from '../examine-analytics.ts';
import { examineDatasets } from '../examine-datasets.ts';
import { type Finding, findingsOf, told } from './examine.ts';

// The datasets are in a separate database, so that no query can join the two.
const storeDatabase = await createTestDatabase();
const apps = await createTestApps({ analyticsAddress: storeDatabase.address });
const store = storeDatabase.database;
/** Runs SQL in the analytics store. */
const inStore = { ...apps, sql: storeDatabase.sql };
const last = addDays(yesterdayOf(apps.clock.now()), -1);
const range = { from: addDays(last, -5), to: last };
const dayAt = (place: number) => addDays(range.from, place);

async function examine(brandId: number, repair: boolean) {
  const findings: Finding[] = [];
  const counts: Record<string, number> = {};
  const skipped = await examineAnalytics(
    apps.database,
    {
      examine: examineDatasets(store),
      aggregate: async (brand, days) => void (await aggregateRange(apps.context, brand, days)),
    },
    brandId,
    {
      repair,
      report: (check) => {
        findings.push(...findingsOf(check));
        counts[check.check] = check.found;
      },
    },
  );
  return { findings, counts, skipped };
}

describe('the doctor of analytics', () => {
  it('finds nothing after any learners, events and aggregations, and says what it does not compare', async () => {
    const user = fc.integer({ min: 0, max: learnerCount - 1 });
    const step = fc.oneof(
      fc.record({
        do: fc.constant('append' as const),
        events: fc.array(draftEvent(range.from, 6), { minLength: 1, maxLength: 20 }),
      }),
      fc.record({ do: fc.constantFrom('out' as const, 'in' as const, 'erase' as const), user }),
      fc.record({ do: fc.constant('aggregate' as const), place: fc.integer({ min: 0, max: 5 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const brand = await newModelledBrand(apps);
        for (const each of steps)
          if (each.do === 'append') await brand.append(each.events);
          else if (each.do === 'aggregate')
            await brand.aggregate({ from: dayAt(each.place), to: dayAt(Math.min(5, each.place + 2)) });
          else if (each.do === 'erase') await brand.erase(each.user);
          else await brand.setOptOut(each.user, each.do === 'out');
        const { findings } = await examine(brand.brandId, false);
        assert.deepEqual(findings.map(told), []);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('finds any damage to any dataset, and a repair restores the results of an independent computation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(draftEvent(range.from, 6), { minLength: 20, maxLength: 50 }),
        fc.array(damageOf(6), { minLength: 1, maxLength: 4 }),
        async (events, damages: Damage[]) => {
          const brand = await newModelledBrand(apps);
          await brand.append(events);
          await brand.aggregate(range);
          const before = await rowsOf(brand.brandId);
          for (const damage of damages) await inflict(inStore, brand.brandId, dayAt(damage.day), damage);
          const isDamaged = JSON.stringify(await rowsOf(brand.brandId)) !== JSON.stringify(before);
          const { counts } = await examine(brand.brandId, true);
          assert.equal(Object.keys(counts).length > 0, isDamaged);
          assert.deepEqual((await examine(brand.brandId, false)).findings.map(told), []);
          await brand.assertServed(range, 100);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });

  /** Only values that the doctor compares, without the facts from the time of the aggregation. */
  async function rowsOf(brandId: number) {
    return storeDatabase.sql(
      `select to_jsonb(d) - 'live_episodes' - 'live_programs' - 'live_quests' - 'live_products' as row
         from analytics.daily d where brand_id = $1
       union all select to_jsonb(c) - 'total_users' from analytics.contents c where brand_id = $1
       union all select to_jsonb(u) from analytics.users u where brand_id = $1
       union all select to_jsonb(e) from analytics.content_engagement e where brand_id = $1 order by 1`,
      [brandId],
    );
  }

  it('reports day, key, field and the correct value, for increments and running totals', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send(Array.from({ length: 6 }, (_, place) => ({ day: dayAt(place) })));
    await brand.aggregate(range);
    await storeDatabase.sql(
      `update analytics.daily set cumulative_views = cumulative_views + 1000, xp_earned = 5
       where brand_id = $1 and day = $2`,
      [brand.brandId, dayAt(2)],
    );
    const { findings } = await examine(brand.brandId, false);
    assert.deepEqual(findings.map(told), [
      `dataset_daily ${dayAt(2)} cumulative_views: 1003 > 3`,
      `dataset_daily ${dayAt(2)} xp_earned: 5 > 0`,
    ]);
    assert.ok(findings.every(({ outcome }) => outcome === 'repairable'));
    const repaired = await examine(brand.brandId, true);
    assert.ok(repaired.findings.every(({ outcome }) => outcome === 'repaired'));
    assert.deepEqual((await examine(brand.brandId, false)).findings, []);
  });

  // [internal-50]
  it('counts the days that it cannot compare, and takes values from before an opt-out, an opt-in and an erasure for no differences', async () => {
    const users = ['a', 'b', 'c'];
    const brand = await newSeededBrand(apps, { users });
    await brand.send(users.flatMap((user) => [0, 1, 2].map((place) => ({ day: dayAt(place), user }))));
    await brand.aggregate(range);
    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: true }]);
    assert.equal((await apps.admin.delete(`/brands/${brand.brandId}/users/b`)).status, 204);
    await brand.aggregate({ from: dayAt(0), to: dayAt(0) });
    await brand.send([{ day: dayAt(1), user: 'c' }]);
    const out = await examine(brand.brandId, false);
    assert.deepEqual(out.findings.map(told), []);
    // One is dirty, from the other a learner was erased.
    assert.equal(out.skipped, 2);
    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: false }]);
    const back = await examine(brand.brandId, false);
    assert.deepEqual(back.findings.map(told), []);
    assert.equal(back.skipped, 3);
  });

  it('lists a hundred differences of a check and counts the rest', async () => {
    const users = Array.from({ length: 150 }, (_, n) => `u${n}`);
    const brand = await newSeededBrand(apps, { users });
    await brand.send(users.map((user) => ({ day: dayAt(0), user })));
    await brand.aggregate(range);
    await storeDatabase.sql('update analytics.users set views = views + 1 where brand_id = $1', [
      brand.brandId,
    ]);
    const { findings, counts } = await examine(brand.brandId, true);
    assert.deepEqual([findings.length, counts], [100, { dataset_users: 150 }]);
    assert.ok(findings.every(({ outcome }) => outcome === 'repaired'));
  });
});
