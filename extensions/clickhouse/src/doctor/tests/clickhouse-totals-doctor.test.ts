import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, yesterdayOf } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import { newModelledBrand } from '../../../../../server/src/analytics/tests/modelled-brand.ts';
import { told } from '../../../../../server/src/doctor/tests/examine.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { shapes } from '../../store/dataset-shape.ts';
import { clickHouseInvariants } from '../clickhouse-invariants.ts';
import { newExaminedStore } from './examined-store.ts';
import { damagedTotals, type TotalsDamage } from './totals-damages.ts';

// [internal-49] [D206] [D207]
describe('the doctor of running totals in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { apps, store, clickHouse, sql, examine, publishedTotals } = await newExaminedStore();
  const last = addDays(yesterdayOf(apps.clock.now()), -1);
  const days = { from: addDays(last, -9), to: last };
  let events = 0;

  /** Two learners who view two contents on the first and the last of ten days, with totals of the first three. */
  async function newBrand() {
    const brand = await newModelledBrand(apps);
    await view(brand, days.from);
    await view(brand, days.to);
    await brand.aggregate(days);
    await store.upkeep(last);
    assert.deepEqual(
      (await publishedTotals(brand.brandId)).map(({ through }) => through),
      Array.from({ length: 4 }, () => addDays(days.from, 2)),
    );
    assert.deepEqual(await examine(brand.brandId), []);
    return brand;
  }

  async function view(brand: Awaited<ReturnType<typeof newModelledBrand>>, day: string) {
    const event = {
      kind: 'view' as const,
      market: null,
      progress: 5_000,
      score: 0,
      questions: 0,
      answered: 0,
    };
    await brand.append(
      [0, 1].flatMap((user) =>
        [0, 1].map((content) => {
          events += 1;
          return {
            ...event,
            score: null,
            eventId: `event ${events}`,
            day,
            user,
            content,
            seconds: 1,
            xp: 10,
          };
        }),
      ),
    );
  }

  async function spoil(brandId: number, { run, sql: text }: TotalsDamage, check: string): Promise<void> {
    const table = check;
    const key = shapes[check.slice('totals_'.length) as DatasetName].keys.at(-1);
    const min = `(select min(${key}) from ${table} where brand_id = ${brandId})`;
    const filled = (statement: string) =>
      statement.replaceAll('{brand}', String(brandId)).replaceAll('{min}', min);
    if (run !== undefined) await clickHouse.run(filled(run));
    if (text !== undefined) await sql(filled(text));
  }

  for (const [check, cases] of Object.entries(damagedTotals))
    for (const damage of cases)
      it(`finds and withdraws totals after: ${(damage.run ?? damage.sql)?.slice(0, 90)}`, async () => {
        const brand = await newBrand();
        const other = await newBrand();
        const { brandId } = brand;
        await spoil(brandId, damage, check);
        const found = await examine(brandId);
        assert.equal(found.length, damage.expected.length, found.map(told).join('\n'));
        for (const [place, expected] of damage.expected.entries())
          assert.match(told(found[place] as (typeof found)[number]), expected);
        assert.ok(found.every(({ outcome }) => outcome === 'repairable'));
        assert.equal((await publishedTotals(brandId)).length, 4, 'an examination has withdrawn totals');
        const repaired = await examine(brandId, true);
        assert.deepEqual(repaired.map(told), found.map(told));
        assert.ok(repaired.every(({ outcome }) => outcome === 'repaired'));
        const names = (await publishedTotals(brandId)).map(({ dataset }) => `totals_${dataset}`);
        assert.deepEqual(
          names,
          Object.keys(damagedTotals)
            .filter((name) => name !== check)
            .sort(),
        );
        assert.deepEqual(await examine(brandId), []);
        // The upkeep writes new ones, although no day was aggregated.
        await store.upkeep(last);
        assert.equal((await publishedTotals(brandId)).length, 4);
        assert.deepEqual(await examine(brandId), []);
        assert.equal(
          (await publishedTotals(other.brandId)).length,
          4,
          'totals of another brand were withdrawn',
        );
        await brand.assertServed(days, 100);
      });

  it('repairs the rows too that an aggregation has written from wrong totals', async () => {
    const brand = await newBrand();
    await spoil(brand.brandId, damagedTotals.totals_users[0] as TotalsDamage, 'totals_users');
    await view(brand, last);
    await brand.aggregate({ from: last, to: last });
    const checks = async (repair: boolean) =>
      (await examine(brand.brandId, repair)).map(({ check }) => check);
    assert.deepEqual([...new Set(await checks(false))].sort(), ['dataset_users', 'totals_users']);
    assert.ok((await examine(brand.brandId, true)).every(({ outcome }) => outcome === 'repaired'));
    assert.deepEqual(await checks(false), []);
    await brand.assertServed(days, 100);
  });

  it('leaves out a learner who is being erased', async () => {
    const { brandId } = await newBrand();
    const [learner] = await clickHouse.numbers(
      `select min(user_id) as id from users where brand_id = ${brandId}`,
    );
    // The rows of one table are deleted, those of the other are not yet.
    await sql(`insert into analytics.hidden_learners values (${brandId}, ${learner}, now());
      update analytics.running_totals set rows = 1 where brand_id = ${brandId} and dataset = 'users'`);
    await clickHouse.run(`delete from totals_users where brand_id = ${brandId} and user_id = ${learner}`);
    const ofUsers = (await examine(brandId)).filter(({ check }) => check === 'totals_users');
    assert.deepEqual(ofUsers.map(told), []);
  });

  it('has a case for each invariant of totals', () => {
    const registered = clickHouseInvariants.filter(({ id }) => id.startsWith('totals_')).map(({ id }) => id);
    assert.deepEqual(registered.sort(), Object.keys(damagedTotals).sort());
  });
});
