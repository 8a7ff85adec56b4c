// nightly: damages a ClickHouse and repairs it
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { aggregateRange } from '../../../../../server/src/analytics/aggregation/aggregation-service.ts';
import { addDays, dayNumberOf, yesterdayOf } from '../../../../../server/src/analytics/day.ts';
import { shapeOf } from '../../../../../server/src/analytics/store/datasets.ts';
import { draftEvent } from '../../../../../server/src/analytics/tests/draft-events.ts';
import { learnerCount, newModelledBrand } from '../../../../../server/src/analytics/tests/modelled-brand.ts';
import { told } from '../../../../../server/src/doctor/tests/examine.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { columnsOf, eventColumns } from '../../store/schema.ts';
import { newExaminedStore } from './examined-store.ts';

// [internal-49] [D205]
describe('the doctor of analytics in ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { apps, store, clickHouse, sql, examine } = await newExaminedStore();
  const last = addDays(yesterdayOf(apps.clock.now()), -1);
  const range = { from: addDays(last, -5), to: last };
  const dayAt = (place: number) => addDays(range.from, place);
  const onDay = (place: number) => `day = ${dayNumberOf(dayAt(place))}`;

  /** A brand with 60 views on six days, by three learners of two contents. */
  async function newViewedBrand() {
    const brand = await newModelledBrand(apps);
    await brand.append(
      Array.from({ length: 60 }, (_, n) => ({
        ...(fc.sample(draftEvent(range.from, 1), { numRuns: 1, seed: 1 })[0] as Parameters<
          typeof brand.append
        >[0][0]),
        eventId: `event ${n}`,
        day: dayAt(n % 6),
        kind: 'view' as const,
        user: n % 3,
        content: n % 2,
        market: null,
      })),
    );
    await brand.aggregate(range);
    assert.deepEqual(await examine(brand.brandId), []);
    return brand;
  }

  it('finds nothing after any learners, events, aggregations and upkeep', async () => {
    const start = addDays(last, -9);
    const days = { from: start, to: last };
    const user = fc.integer({ min: 0, max: learnerCount - 1 });
    const step = fc.oneof(
      fc.record({
        do: fc.constant('append' as const),
        events: fc.array(draftEvent(start, 6), { minLength: 1, maxLength: 20 }),
      }),
      fc.record({ do: fc.constantFrom('out' as const, 'in' as const, 'erase' as const), user }),
      fc.record({ do: fc.constant('aggregate' as const), place: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ do: fc.constant('upkeep' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const brand = await newModelledBrand(apps);
        await brand.append(fc.sample(draftEvent(start, 6), { numRuns: 20, seed: 1 }));
        await brand.aggregate(days);
        for (const each of steps) {
          if (each.do === 'append') await brand.append(each.events);
          else if (each.do === 'erase') await brand.erase(each.user);
          else if (each.do === 'aggregate')
            await brand.aggregate({ from: addDays(start, each.place), to: last });
          else if (each.do === 'upkeep') await store.upkeep(last);
          else await brand.setOptOut(each.user, each.do === 'out');
          assert.deepEqual((await examine(brand.brandId)).map(told), []);
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('finds lost, changed and added rows, and repairs them by aggregating', async () => {
    const damages = [
      `delete from users where brand_id = {brand} and ${onDay(1)}`,
      `alter table daily update views = views + 3 where brand_id = {brand} and ${onDay(2)}`,
      `delete from contents where brand_id = {brand} and ${onDay(0)} and content_ref_id = (
         select min(content_ref_id) from contents where brand_id = {brand})`,
      `delete from content_engagement where brand_id = {brand} and ${onDay(5)} and user_id = (
         select min(user_id) from content_engagement where brand_id = {brand} and ${onDay(5)})`,
    ];
    const expected = [
      /^dataset_users .* views: 0 > 10$/m,
      /^dataset_daily .* views: 13 > 10$/m,
      /^dataset_contents /m,
      /^dataset_content_engagement /m,
    ];
    for (const [place, damage] of damages.entries()) {
      const brand = await newViewedBrand();
      await clickHouse.run(damage.replaceAll('{brand}', String(brand.brandId)));
      const findings = await examine(brand.brandId);
      assert.match(findings.map(told).join('\n'), expected[place] as RegExp);
      assert.ok(findings.every(({ outcome }) => outcome === 'repairable'));
      const repaired = await examine(brand.brandId, true);
      assert.ok(
        repaired.every(({ outcome }) => outcome === 'repaired'),
        repaired.map(told).join('\n'),
      );
      assert.deepEqual(await examine(brand.brandId), [], damage);
      await brand.assertServed(range, 100);
    }
  });

  it('finds events that are lost, stored twice or never claimed, and repairs none of them', async () => {
    const columns = Object.keys(eventColumns);
    const damages: [damage: string, expected: string[]][] = [
      [
        `delete from learning_events where brand_id = {brand} and event_id = 'event 7'`,
        [`event_claims ${dayAt(1)} events: 9 > 10`],
      ],
      [
        `insert into learning_events (${columns.join(', ')}) select ${columns.join(', ')} from learning_events
         where brand_id = {brand} and event_id = 'event 8'`,
        [`event_claims ${dayAt(2)} events: 11 > 10`],
      ],
    ];
    for (const [damage, expected] of damages) {
      const brand = await newViewedBrand();
      await clickHouse.run(damage.replaceAll('{brand}', String(brand.brandId)));
      const findings = (await examine(brand.brandId)).filter(({ check }) => check === 'event_claims');
      assert.deepEqual(findings.map(told), expected);
      assert.ok(findings.every(({ outcome }) => outcome === 'not repairable'));
    }
  });

  // [D205]
  it('finds rows that nothing reads and that are older than an hour, and has the upkeep delete them', async () => {
    const { brandId } = await newViewedBrand();
    const columns = columnsOf(shapeOf('users'));
    await clickHouse.run(`insert into users (${columns.join(', ')}) select
      ${columns.map((column) => (column === 'generation' ? '77' : column)).join(', ')}
      from users where brand_id = ${brandId} and ${onDay(0)}`);
    const expected = [`unread_rows users ${dayAt(0)} 77 rows: 1 > null`];
    assert.deepEqual((await examine(brandId)).map(told), expected);
    await aggregateRange(apps.context, brandId, range);
    assert.deepEqual((await examine(brandId)).map(told), expected, 'replaced rows are no finding');
    const repaired = await examine(brandId, true);
    assert.deepEqual(
      repaired.map(({ outcome }) => outcome),
      ['repaired'],
    );
    await sql(`update analytics.unpublished_generations set since = since - interval '25 hours'`);
    await store.upkeep(last);
    assert.equal(await clickHouse.count('users', `brand_id = ${brandId}`), 6);
    assert.deepEqual((await examine(brandId)).map(told), []);
  });

  // [D205]
  it('aggregates days again that an older copy of ClickHouse does not have, without which no server starts', async () => {
    const brand = await newViewedBrand();
    for (const table of ['daily', 'contents', 'users', 'content_engagement'])
      await clickHouse.run(`delete from ${table} where brand_id = ${brand.brandId} and ${onDay(3)}`);
    await assert.rejects(
      store.prepare(),
      /1 of the last \d+ published days, such as .* older than PostgreSQL/,
    );
    await examine(brand.brandId, true);
    await store.prepare();
    assert.deepEqual((await examine(brand.brandId)).map(told), []);
    await brand.assertServed(range, 100);
  });
});
