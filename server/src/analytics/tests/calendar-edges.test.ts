// processes: aggregates around the ends of months and years
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { scheduledJobs } from '../../jobs/job.ts';
import { defaultKeep } from '../../retention/policy-settings.ts';
import { aggregateAllBrands } from '../aggregation/aggregation-service.ts';
import { addDays, type Day } from '../day.ts';
import { newSeededBrand } from './seed.ts';

const apps = await createTestApps();

/** Sets the clock of the apps to an instant. */
function setClock(instant: string): void {
  apps.clock.advance(Date.parse(instant) - apps.clock.now());
}

async function runJob(name: string): Promise<Record<string, unknown>> {
  const job = scheduledJobs.find((one) => one.name === name);
  assert.ok(job, name);
  const feeds = { feedFinished: () => {}, chunkFailed: () => {} };
  const context = { ...apps.context, feeds, retention: { keep: defaultKeep } };
  return job.run(context, new AbortController().signal);
}

/** The partition that stores the events of a day. */
async function partitionsOf(brandId: number, day: Day): Promise<string[]> {
  const rows = await apps.sql<{ name: string }>(
    `select distinct tableoid::regclass::text as name from analytics.learning_events where brand_id = $1 and day = $2`,
    [brandId, day],
  );
  return rows.map(({ name }) => name);
}

const edges: readonly [string, Day, Day][] = [
  ['the end of a month', '2027-04-30', '2027-05-01'],
  ['the end of a year', '2027-12-31', '2028-01-01'],
  ['the day before a leap day', '2028-02-28', '2028-02-29'],
  ['a leap day', '2028-02-29', '2028-03-01'],
];

describe('a server that runs over', () => {
  for (const [name, last, next] of edges)
    it(`${name} keeps both days apart, in their partitions, and aggregates each in its night`, async () => {
      setClock(`${last}T23:50:00Z`);
      await runJob('analytics-upkeep');
      const brand = await newSeededBrand(apps);
      await brand.send([{ day: last }, { day: last, occurred_at: `${last}T23:59:59.999Z` }]);
      setClock(`${next}T00:00:00Z`);
      await brand.send([
        { day: next, occurred_at: `${next}T00:00:00.000Z` },
        // The same instant as a quarter to midnight UTC, in the learner's time zone.
        { day: last, occurred_at: `${next}T05:30:00+05:45` },
      ]);
      for (const day of [last, next])
        assert.deepEqual(await partitionsOf(brand.brandId, day), [
          `analytics.learning_events_${day.slice(0, 7).replace('-', '_')}`,
        ]);

      const rows = async () => {
        const { status, text, json } = await brand.client.get(
          `/analytics/metrics/daily?from=${addDays(last, -1)}`,
        );
        assert.equal(status, 200, text);
        return json.data.map((row: { date: string; cumulative: { views: number } }) => [
          row.date,
          row.cumulative.views,
        ]);
      };
      setClock(`${next}T00:05:00Z`);
      await aggregateAllBrands(apps.context);
      assert.deepEqual(await rows(), [[last, 3]]);
      const again = await aggregateAllBrands(apps.context);
      assert.equal(again.days, 0, 'a second run in one night finds nothing to do');
      setClock(`${addDays(next, 1)}T00:05:00Z`);
      await aggregateAllBrands(apps.context);
      assert.deepEqual(await rows(), [
        [last, 3],
        [next, 4],
      ]);
    });

  it('a month without a partition accepts events, and gets its partition later', async () => {
    setClock('2031-07-31T23:59:00Z');
    const brand = await newSeededBrand(apps);
    await brand.send([{ day: '2031-07-31' }]);
    setClock('2031-08-01T00:01:00Z');
    await brand.send([{ day: '2031-08-01' }]);
    assert.deepEqual(await partitionsOf(brand.brandId, '2031-08-01'), ['analytics.learning_events_default']);
    await runJob('analytics-upkeep');
    assert.deepEqual(await partitionsOf(brand.brandId, '2031-08-01'), ['analytics.learning_events_2031_08']);
    assert.deepEqual(await partitionsOf(brand.brandId, '2031-07-31'), ['analytics.learning_events_default']);
  });
});

describe('the nightly run after a jump of the clock', () => {
  it('forward past midnight aggregates a day too early, and again when the day is over', async () => {
    setClock('2032-03-10T23:30:00Z');
    const brand = await newSeededBrand(apps);
    await brand.send([{ day: '2032-03-10' }]);
    setClock('2032-03-11T00:30:00Z');
    await aggregateAllBrands(apps.context);
    setClock('2032-03-10T23:31:00Z');
    await brand.send([{ day: '2032-03-10' }]);
    setClock('2032-03-11T00:05:00Z');
    await aggregateAllBrands(apps.context);
    const { json } = await brand.client.get('/analytics/metrics/daily?from=2032-03-10&to=2032-03-10');
    assert.deepEqual(
      json.data.map(({ cumulative }: { cumulative: { views: number } }) => cumulative.views),
      [2],
    );
  });

  it('forward by two nights aggregates both days', async () => {
    setClock('2032-06-30T12:00:00Z');
    const brand = await newSeededBrand(apps);
    await brand.send([{ day: '2032-06-29' }, { day: '2032-06-30' }]);
    setClock('2032-07-02T00:05:00Z');
    await aggregateAllBrands(apps.context);
    const { json } = await brand.client.get('/analytics/metrics/daily?from=2032-06-29');
    assert.deepEqual(
      json.data.map(({ date, cumulative }: { date: string; cumulative: { views: number } }) => [
        date,
        cumulative.views,
      ]),
      [
        ['2032-06-29', 1],
        ['2032-06-30', 2],
        ['2032-07-01', 2],
      ],
    );
  });
});
