import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { countsAt, meanAt, numberAt, packDataset, textAt } from '../packed-datasets.ts';

const { sql } = await createTestDatabase();
const columns = [
  'id',
  'day',
  'score_sum',
  'score_count',
  'views',
  'completions',
  'successes',
  'most',
] as const;
const packing = packDataset(columns, (row, at) => [
  numberAt(row, at.id),
  textAt(row, at.day),
  meanAt(row, at.score_sum),
  countsAt(row, at.views),
  numberAt(row, at.most),
]);

test('a row is read and split exactly as stored, under any settings of the database', async () => {
  await sql(`set datestyle = 'German'`);
  const [row] = await sql<{ packed: string }>(
    `select string_agg(${packing.sql}, '') as packed from (values
       (1::bigint, date '2026-03-01', 0.10::numeric, 2::bigint, 3, 0, 5, 9007199254740991::bigint),
       (20, '1969-12-31', 12345678901234567890.5, 0, 0, 0, 0, 0),
       (3, '2026-03-01', 0, 7, 1, 2, 3, 4)
     ) as t (${columns.join(', ')})`,
  );
  assert.deepEqual(packing.read(row?.packed ?? ''), [
    [1, '2026-03-01', { sum: '0.10', count: 2 }, { views: 3, completions: 0, successes: 5 }, 2 ** 53 - 1],
    [
      20,
      '1969-12-31',
      { sum: '12345678901234567890.5', count: 0 },
      { views: 0, completions: 0, successes: 0 },
      0,
    ],
    [3, '2026-03-01', { sum: '0', count: 7 }, { views: 1, completions: 2, successes: 3 }, 4],
  ]);
});

test('an empty result has no rows', () => {
  assert.deepEqual(packing.read(''), []);
});
