import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learningDataWith, someEvents } from '../../tests/learning-data.ts';
import { expect } from '../expected-datasets.ts';
import { rate } from '../group.ts';

// The numbers were computed by hand from the events of the fixture.
const { intake, range, datasets } = expect(learningDataWith(someEvents));
const rowsOf = (dataset: keyof typeof datasets) => datasets[dataset].map(({ row }) => row);

test('events of opted-out learners are excluded, those of unknown ones are rejected, and neither extends the range', () => {
  assert.deepEqual(intake, { accepted: 13, excluded: 1, rejected: [14] });
  assert.deepEqual(range, { from: '2020-03-01', to: '2020-03-03' });
});

const noFigures = {
  views: 0,
  completions: 0,
  successes: 0,
  time_spent_seconds: 0,
  watch_rate: 0,
  completion_rate: 0,
  success_rate: 0,
  quiz_average_score: 0,
};
const live = { episodes: 1, programs: 0, quests: 1, products: 0 };

test('the brand has a row every day, also without events', () => {
  const [first, quiet, last] = rowsOf('daily');
  assert.deepEqual(first, {
    date: '2020-03-01',
    market: null,
    live_content: live,
    active_users: 2,
    totals: { views: 4, completions: 1, successes: 0, xp_earned: 5, time_spent_seconds: 0 },
    episodes: { ...noFigures, views: 3, completions: 1, completion_rate: 33.33, quiz_average_score: 50 },
    programs: noFigures,
    quests: { ...noFigures, quiz_average_score: 81 },
    overall_completion_rate: 25,
    cumulative: { views: 4, completions: 1, successes: 0, xp_earned: 5 },
  });
  assert.deepEqual(quiet, {
    date: '2020-03-02',
    market: null,
    live_content: live,
    active_users: 0,
    totals: { views: 0, completions: 0, successes: 0, xp_earned: 0, time_spent_seconds: 0 },
    episodes: noFigures,
    programs: noFigures,
    quests: { ...noFigures, quiz_average_score: null },
    overall_completion_rate: null,
    cumulative: { views: 4, completions: 1, successes: 0, xp_earned: 5 },
  });
  assert.deepEqual(last?.['cumulative'], { views: 5, completions: 3, successes: 1, xp_earned: 5 });
  assert.equal(last?.['overall_completion_rate'], 100);
});

test('a market has the events with this market and those of its learners without one', () => {
  const views = (market: string) =>
    rowsOf('daily')
      .filter((row) => row.market?.tu_id === market)
      .map((row) => (row['totals'] as { views: number }).views);
  assert.deepEqual(views('north'), [2, 0, 1]);
  assert.deepEqual(views('south'), [1, 0, 0]);
});

test('contents have a row for days with events; quests have none, and an unlisted content is null', () => {
  const rows = rowsOf('contents');
  assert.deepEqual(
    rows.map(({ date, content }) => [date, content?.tu_id ?? null]),
    [
      ['2020-03-01', 'ep'],
      ['2020-03-03', 'ep'],
      ['2020-03-01', null],
      ['2020-03-03', 'pr'],
    ],
  );
  assert.deepEqual(rows[1], {
    date: '2020-03-03',
    content: { tu_id: 'ep', type: 'episode', name: 'Episode …' },
    market: null,
    pos: null,
    metrics: {
      views: 1,
      unique_views: 1,
      completions: 1,
      successes: 1,
      active_users: 2,
      total_users: 2,
      engagement_rate: 100,
      xp_earned: 0,
      time_spent_seconds: 0,
      questions_count: 0,
      quiz_average_score: 75.5,
    },
    cumulative: {
      views: 4,
      completions: 2,
      successes: 1,
      watch_rate: 0,
      completion_rate: 50,
      success_rate: 50,
      quiz_average_score: 67,
    },
  });
});

test('a learner’s day sums all kinds of content, together with those of each type', () => {
  const [first, last] = rowsOf('users').filter(({ user }) => user?.tu_id === 'anna');
  assert.deepEqual(first?.['metrics'], {
    views: 2,
    completions: 1,
    successes: 0,
    episodes: { views: 2, completions: 1, successes: 0 },
    programs: { views: 0, completions: 0, successes: 0 },
    quests: { views: 0, completions: 0, successes: 0 },
    xp_earned: 5,
    time_spent_seconds: 0,
    overall_score: 65.5,
  });
  assert.deepEqual(last?.['cumulative'], {
    views: 3,
    completions: 2,
    successes: 1,
    episodes: { views: 3, completions: 2, successes: 1 },
    programs: { views: 0, completions: 0, successes: 0 },
    quests: { views: 0, completions: 0, successes: 0 },
  });
});

test('a learner’s day with a content has that day’s completions and running totals', () => {
  const rows = rowsOf('content_engagement').filter(({ user }) => user?.tu_id === 'anna');
  assert.equal(rows.length, 2);
  assert.deepEqual(rows[1]?.['metrics'], {
    views: 1,
    xp_earned: 0,
    time_spent_seconds: 0,
    is_completed: true,
    is_successful: true,
    questions_count: 0,
    quiz_average_score: 75,
    quiz_completion_rate: 0,
  });
  assert.deepEqual(rows[1]?.['cumulative'], {
    views: 3,
    xp_earned: 5,
    time_spent_seconds: 0,
    quiz_average_score: 62.5,
  });
});

test('rates are rounded to two decimals, halves up, capped at 100, and 0 without a divisor', () => {
  assert.deepEqual(
    [rate(1, 3), rate(2, 3), rate(1, 32), rate(5, 4), rate(3, 0), rate(0, 7)],
    [33.33, 66.67, 3.13, 100, 0, 0],
  );
});
