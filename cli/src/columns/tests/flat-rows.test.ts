import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datasetTables, withoutCumulative } from '../datasets.ts';
import { RowMismatch, rowFlattener } from '../flat-rows.ts';

const row = {
  date: '2026-03-01',
  user: { tu_id: 'ada' },
  content: { tu_id: 'intro', type: 'episode' },
  metrics: {
    views: 2,
    xp_earned: 20,
    time_spent_seconds: 540,
    is_completed: true,
    is_successful: false,
    questions_count: 10,
    quiz_average_score: 49.5,
    quiz_completion_rate: 90,
  },
  cumulative: { views: 4, xp_earned: 40, time_spent_seconds: 900, quiz_average_score: 72.5 },
};
const flatten = rowFlattener(datasetTables.content_engagement);

describe('a flat row', () => {
  it('has a value for each column, in their order', () => {
    const flat = flatten(row);
    assert.deepEqual(
      Object.keys(flat),
      datasetTables.content_engagement.columns.map(({ name }) => name),
    );
    assert.equal(flat['metrics_quiz_average_score'], 49.5);
    assert.equal(flat['content_is_orphaned'], false);
    assert.equal(flat['extra'], null);
  });

  it('of an orphaned content has nulls and says so', () => {
    const flat = flatten({ ...row, content: null });
    assert.deepEqual(
      [flat['content_type'], flat['content_tu_id'], flat['content_is_orphaned']],
      [null, null, true],
    );
  });

  it('keeps fields that are new, at any depth, and ignores new fields without a value', () => {
    const flat = flatten({
      ...row,
      device: 'phone',
      pos: null,
      metrics: { ...row.metrics, shares: 3, likes: null },
      market: { tu_id: 'north' },
    });
    assert.deepEqual(flat['extra'], { device: 'phone', metrics: { shares: 3 }, market: { tu_id: 'north' } });
    assert.equal(flat['metrics_views'], 2);
  });

  it('has nulls for fields that an older service lacks', () => {
    const { quiz_completion_rate: _, ...metrics } = row.metrics;
    assert.equal(flatten({ ...row, metrics })['metrics_quiz_completion_rate'], null);
  });

  it('without running totals has nothing of them, not even new ones', () => {
    const flat = rowFlattener(withoutCumulative(datasetTables.content_engagement), ['cumulative'])({
      ...row,
      cumulative: { ...row.cumulative, shares: 1 },
    });
    assert.deepEqual(
      Object.keys(flat).filter((name) => name.startsWith('cumulative')),
      [],
    );
    assert.equal(flat['extra'], null);
  });

  it('is refused if a value is of another type: nothing is rounded or converted', () => {
    const bad: object[] = [
      { ...row, metrics: { ...row.metrics, views: 49.5 } },
      { ...row, metrics: { ...row.metrics, views: '2' } },
      { ...row, metrics: { ...row.metrics, views: 2 ** 53 } },
      { ...row, metrics: { ...row.metrics, is_completed: 1 } },
      { ...row, metrics: 7 },
      { ...row, metrics: [1] },
      { ...row, date: '2026-3-1' },
      { ...row, date: null },
      { ...row, user: { tu_id: { a: 1 } } },
    ];
    assert.throws(() => flatten(bad[0]), {
      message: /^content_engagement of .+: .+ update the command line\. Nothing was stored of the day\.$/,
    });
    for (const each of bad) assert.throws(() => flatten(each), RowMismatch, JSON.stringify(each));
    for (const each of [null, [], 'row']) assert.throws(() => flatten(each), RowMismatch);
  });
});
