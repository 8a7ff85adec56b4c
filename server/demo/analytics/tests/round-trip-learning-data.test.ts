import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSet } from '../../data-sets/data-set.ts';
import { differencesOf, startDemoUnderTest } from '../../tests/demo.ts';
import { aggregateWindows, verifyAggregatedDays } from '../aggregate-days.ts';
import { expect } from '../expected/expected-datasets.ts';
import type { DatasetName } from '../expected/served-rows.ts';
import type { LearningData } from '../learning-data.ts';
import { verifyDataset } from '../read-rows.ts';
import { roundTripLearningData } from '../round-trip-learning-data.ts';
import { sendDirectory, sendEvents } from '../send-learning-data.ts';
import { learningDataWith, someEvents } from './learning-data.ts';

const demo = await startDemoUnderTest();
const { sql } = demo.testDatabase;
const data = learningDataWith(someEvents);
const expected = expect(data);

/** Sends `sent`, lets `spoil` change the stored data directly, and compares with the rows expected for `data`. */
function spoiled(spoil: (brandId: number) => Promise<unknown>, sent: LearningData = data): DataSet {
  return {
    name: 'spoiled',
    files: [],
    async run(run) {
      const brand = await run.newBrand(['analytics.metrics:read', 'analytics.users:read']);
      await sendDirectory(run, brand, sent);
      await sendEvents(run, brand, sent, { expected: expected.intake });
      await aggregateWindows(run, brand, { name: 'aggregate', windows: [expected.range] }, expected);
      await spoil(brand.id);
      for (const dataset of ['daily', 'contents', 'users', 'content_engagement'] as const)
        await verifyDataset(
          run,
          brand,
          { dataset, range: expected.range, windowDays: 2, pageSize: 2 },
          expected.datasets[dataset],
        );
      await verifyAggregatedDays(run, brand, expected);
    },
  };
}

async function found(dataSet: DataSet): Promise<string[]> {
  return differencesOf(await demo.run([dataSet])).sort();
}

test('learning data that is served as computed has no differences', async () => {
  const dataSet: DataSet = { name: 'plain', files: [], run: (run) => roundTripLearningData(run, data) };
  const results = await demo.run([dataSet]);
  assert.deepEqual(differencesOf(results), []);
  assert.equal(results.find(({ name }) => name === 'users/daily, 92 days')?.records, 4);
});

test('a value that is too high by one is reported with its row, in every dataset', async () => {
  const columns: Record<DatasetName, string> = {
    daily: 'cumulative_xp_earned',
    contents: 'unique_views',
    users: 'cumulative_episode_views',
    content_engagement: 'cumulative_views',
  };
  const dataSet = spoiled(async (brandId) => {
    for (const [table, column] of Object.entries(columns))
      await sql(
        `update analytics.${table} set ${column} = ${column} + 1 where ctid in (
           select ctid from analytics.${table} where brand_id = $1 and day = '2020-03-03' order by ${column} desc limit 1)`,
        [brandId],
      );
  });
  assert.deepEqual(await found(dataSet), [
    'metrics/contents, 2 days | 2020-03-03 episode/ep: metrics.unique_views is 2, not 1',
    'metrics/daily, 2 days | 2020-03-03: cumulative.xp_earned is 6, not 5',
    'users/contents, 2 days | 2020-03-03 anna episode/ep: cumulative.views is 4, not 3',
    'users/daily, 2 days | 2020-03-03 anna: cumulative.episodes.views is 4, not 3',
  ]);
});

test('a lost row and an invented one are differences', async () => {
  const dataSet = spoiled(async (brandId) => {
    await sql(`delete from analytics.users where brand_id = $1 and day = '2020-03-01' and score_count = 2`, [
      brandId,
    ]);
    await sql(
      `update analytics.contents set day = '2020-03-02' where brand_id = $1 and content_type = 'program'`,
      [brandId],
    );
  });
  assert.deepEqual(await found(dataSet), [
    'metrics/contents, 2 days | 2020-03-02 program/pr: served twice, or nothing happened',
    'metrics/contents, 2 days | 2020-03-03 program/pr: not served',
    'users/daily, 2 days | 2020-03-01 anna: not served',
  ]);
});

test('an event that was not sent, or arrived after the aggregation, is a difference', async () => {
  const [first, ...others] = someEvents;
  const differences = await found(
    spoiled(async () => {}, learningDataWith(first === undefined ? [] : others)),
  );
  assert.ok(differences.includes('events | accepted: 12, not 13'), differences.join('\n'));
  assert.ok(
    differences.includes('metrics/daily, 2 days | 2020-03-01: totals.views is 3, not 4'),
    differences.join('\n'),
  );

  const late = await found(
    spoiled((brandId) =>
      sql('update analytics.brand_days set changes = changes + 1 where brand_id = $1', [brandId]),
    ),
  );
  assert.equal(late.filter((difference) => difference.includes('dirty')).length, 3);
});

test('another title is a difference, and a content that is no longer listed is reported as orphaned', async () => {
  const differences = await found(
    spoiled(async (brandId) => {
      await sql(`update contents set name = normalize(name, NFKD) where brand_id = $1 and type = 'episode'`, [
        brandId,
      ]);
      await sql(`update contents set is_listed = false where brand_id = $1 and type = 'program'`, [brandId]);
    }),
  );
  assert.deepEqual(differences, [
    'metrics/contents, 2 days | 2020-03-01 episode/ep: content.name is "Episode ...", not "Episode …"',
    'metrics/contents, 2 days | 2020-03-03 episode/ep: content.name is "Episode ...", not "Episode …"',
    'metrics/contents, 2 days | 2020-03-03 orphaned: served twice, or nothing happened',
    'metrics/contents, 2 days | 2020-03-03 program/pr: not served',
    'users/contents, 2 days | 2020-03-03 ben orphaned: served twice, or nothing happened',
    'users/contents, 2 days | 2020-03-03 ben program/pr: not served',
  ]);
});
