// nightly: random damage, compared with an independent computation
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, type DayRange, yesterdayOf } from '../../day.ts';
import { type Damage, damageOf, inflict } from '../../tests/dataset-damage.ts';
import { draftEvent } from '../../tests/draft-events.ts';
import { newModelledBrand } from '../../tests/modelled-brand.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const dayCount = 7;
const last = addDays(yesterdayOf(apps.clock.now()), -1);
const range: DayRange = { from: addDays(last, 1 - dayCount), to: last };
const dayAt = (place: number) => addDays(range.from, place);

describe('a damaged day that is aggregated again', () => {
  // [analytics-42]
  it('leaves the running totals of later days correct, regardless of the damaged value', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send(Array.from({ length: 60 }, (_, n) => ({ day: dayAt(Math.floor(n / 10)) })));
    await brand.aggregate(range);
    const totals = async () => {
      const { json } = await brand.client.get(`/analytics/metrics/daily?from=${range.from}&to=${range.to}`);
      return json.data.map((row: { cumulative: { views: number } }) => row.cumulative.views);
    };
    const right = [10, 20, 30, 40, 50, 60, 60];
    assert.deepEqual(await totals(), right);
    for (const change of ['views = views + 7', 'cumulative_views = cumulative_views + 1000', 'views = 0']) {
      await apps.sql(`update analytics.daily set ${change} where brand_id = $1 and day = $2`, [
        brand.brandId,
        dayAt(2),
      ]);
      await brand.aggregate({ from: dayAt(2), to: dayAt(2) });
      assert.deepEqual(await totals(), right, change);
    }
  });

  it('repairs values that a later aggregation copied from it', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send(Array.from({ length: 70 }, (_, n) => ({ day: dayAt(Math.floor(n / 10)) })));
    await brand.aggregate(range);
    for (const dataset of ['daily', 'contents', 'users', 'content_engagement'])
      await apps.sql(
        `update analytics.${dataset} set cumulative_views = cumulative_views + 5 where brand_id = $1 and day = $2`,
        [brand.brandId, dayAt(2)],
      );
    await brand.aggregate({ from: dayAt(3), to: range.to });
    await brand.aggregate({ from: dayAt(2), to: dayAt(2) });
    for (const dataset of ['daily', 'contents', 'users', 'content_engagement'])
      assert.deepEqual(
        (
          await apps.sql<{ views: number }>(
            `select cumulative_views as views from analytics.${dataset} where brand_id = $1 order by day`,
            [brand.brandId],
          )
        ).map(({ views }) => Number(views)),
        [10, 20, 30, 40, 50, 60, 70],
        dataset,
      );
  });

  it('matches an independent computation again after any damage to any dataset', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(draftEvent(range.from, dayCount), { minLength: 15, maxLength: 60 }),
        fc.array(damageOf(dayCount), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('day by day' as const, 'as one range' as const),
        async (events, damages: Damage[], how) => {
          const brand = await newModelledBrand(apps);
          await brand.append(events);
          await brand.aggregate(range);
          for (const damage of damages) await inflict(apps, brand.brandId, dayAt(damage.day), damage);
          const places = [...new Set(damages.map(({ day }) => day))].sort();
          if (how === 'day by day')
            for (const place of places) await brand.aggregate({ from: dayAt(place), to: dayAt(place) });
          else await brand.aggregate({ from: dayAt(places[0] ?? 0), to: dayAt(places.at(-1) ?? 0) });
          await brand.assertServed(range, 100);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
