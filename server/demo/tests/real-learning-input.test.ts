import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { defaultDataDir, missingFiles } from '../data-files.ts';
import { analyticsDataSets } from '../data-sets/index.ts';
import { differencesOf, startDemoUnderTest } from './demo.ts';

const dataDir = process.env['BRANDPORT_REAL_DATA'] || defaultDataDir;
const isThere = missingFiles(dataDir, analyticsDataSets).length === 0;
if (!isThere)
  process.stderr.write(
    `\n*** NOT TESTED: the published data sets are not in ${dataDir}, real-learning-input.test.ts is SKIPPED ***\n\n`,
  );

test('a part of the published clicks, results and logs is served as computed from the files, before and after it is sent again', {
  skip: !isThere,
}, async () => {
  const { run, testDatabase } = await startDemoUnderTest();
  const results = await run(analyticsDataSets, { dataDir, part: 1_000 });

  assert.deepEqual(differencesOf(results), []);
  const recordsOf = (dataSet: string, step: string) =>
    results
      .filter((result) => result.dataSet === dataSet && result.name === step)
      .map(({ records }) => records);
  assert.deepEqual(recordsOf('oulad', 'directory'), [4 + 28_785 + 6_546]);
  for (const dataSet of ['oulad', 'moodle-edify']) {
    const [events = 0] = recordsOf(dataSet, 'events');
    assert.ok(events > 500);
    assert.deepEqual(recordsOf(dataSet, 'events again'), [events]);
    const [rows = 0] = recordsOf(dataSet, 'users/contents, 92 days');
    assert.ok(rows > 300);
    assert.deepEqual(recordsOf(dataSet, 'users/contents, 31 days'), [rows]);
  }

  const stored = await testDatabase.sql(
    `select b.name,
       count(*) filter (where e.kind = 'view' and c.type <> 'live_session') > 0 as views,
       count(*) filter (where e.kind = 'quiz') > 0 as quizzes,
       count(*) filter (where c.type = 'quest') > 0 as quests,
       count(distinct e.event_id) = count(*) as distinct
     from brands b join analytics.learning_events e on e.brand_id = b.id
       join contents c on c.brand_id = b.id and c.id = e.content_ref_id
     group by b.id order by b.id`,
  );
  assert.deepEqual(stored, [
    { name: 'Real data: oulad', views: true, quizzes: true, quests: true, distinct: true },
    { name: 'Real data: moodle-edify', views: true, quizzes: false, quests: true, distinct: true },
  ]);
});
