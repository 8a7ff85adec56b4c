import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoError } from '../../../demo-error.ts';
import type { Clicks, OuladFiles, Result } from '../oulad-files.ts';
import { learningDataOfOulad, startOf } from '../oulad-mapping.ts';

const course = { module: 'DDD', presentation: '2013B' };
const files: OuladFiles = {
  courses: [course, { module: 'DDD', presentation: '2014J' }],
  assessments: [
    { id: '1', ...course, type: 'TMA' },
    { id: '2', ...course, type: 'CMA' },
    { id: '3', ...course, type: 'Exam' },
  ],
  sites: [
    { id: '10', ...course, activity: 'homepage' },
    { id: '11', ...course, activity: 'forumng' },
    { id: '12', module: 'DDD', presentation: '2014J', activity: 'url' },
  ],
  registrations: [
    { student: '7', presentation: '2014J' },
    { student: '7', presentation: '2013B' },
    { student: '8', presentation: '2014J' },
  ],
  clicks: [],
  results: [],
};
const click: Clicks = { row: 0, presentation: '2013B', student: '7', site: '11', dayOfCourse: 0, clicks: 4 };
const result: Result = {
  row: 0,
  student: '7',
  assessment: '2',
  dayOfCourse: 18,
  isBanked: false,
  score: 40,
};

function eventsOf(more: Partial<OuladFiles>) {
  return [...learningDataOfOulad({ ...files, ...more }, null).events()];
}
const kindsOf = (more: Partial<Result>) =>
  eventsOf({ results: [{ ...result, ...more }] }).map(({ event }) => event.kind);

test('days count from the first of February or October, also before it and past the end of the year', () => {
  const days = [-11, 0, 27, 28, 608].map((dayOfCourse) => ({ ...click, dayOfCourse }));
  assert.deepEqual(
    eventsOf({ clicks: days }).map(({ day }) => day),
    ['2013-01-21', '2013-02-01', '2013-02-28', '2013-03-01', '2014-10-02'],
  );
  assert.equal(startOf('2014J'), '2014-10-01');
  assert.throws(() => startOf('2014K'), DemoError);
});

test('a row of clicks is one view at the first instant of its day, in the learner’s own market', () => {
  assert.deepEqual(eventsOf({ clicks: [click, { ...click, row: 1 }] })[1], {
    day: '2013-02-01',
    event: {
      event_id: 'click-1',
      occurred_at: '2013-02-01T00:00:00Z',
      kind: 'view',
      user: 'student-7',
      content: { type: 'episode', tu_id: 'site-11' },
      xp_earned: 4,
    },
  });
});

test('a result is a completion, a quiz and, from the pass mark on, a success', () => {
  assert.deepEqual(kindsOf({ score: 40 }), ['completion', 'quiz', 'success']);
  assert.deepEqual(kindsOf({ score: 39 }), ['completion', 'quiz']);
  assert.deepEqual(kindsOf({ score: 0 }), ['completion', 'quiz']);
  assert.deepEqual(kindsOf({ score: null }), ['completion']);
  assert.deepEqual(kindsOf({ score: 100, isBanked: true }), ['completion']);
  assert.deepEqual(eventsOf({ results: [result] })[1]?.event, {
    event_id: 'result-0-quiz',
    occurred_at: '2013-02-19T23:59:59.999Z',
    kind: 'quiz',
    user: 'student-7',
    content: { type: 'episode', tu_id: 'assessment-2' },
    market: '2013B',
    score: 40,
  });
});

test('the homepage and the exam are the course itself, and work for a tutor is a quest', () => {
  const contents = eventsOf({
    clicks: [{ ...click, site: '10' }],
    results: ['3', '1'].map((assessment) => ({ ...result, assessment, score: null })),
  }).map(({ event }) => event.content);
  assert.deepEqual(contents, [
    { type: 'program', tu_id: 'DDD-2013B' },
    { type: 'program', tu_id: 'DDD-2013B' },
    { type: 'quest', tu_id: 'assessment-1' },
  ]);
});

test('learners have the market of their first registration, and contents of the last presentation are live', () => {
  const { markets, users, contents } = learningDataOfOulad(files, null);
  assert.deepEqual(
    markets.map(({ tu_id }) => tu_id),
    ['2013B', '2014J'],
  );
  assert.deepEqual(users, [
    { tu_id: 'student-7', market: '2013B' },
    { tu_id: 'student-8', market: '2014J' },
  ]);
  assert.deepEqual(
    contents.map(({ tu_id, is_live }) => [tu_id, is_live]),
    [
      ['DDD-2013B', false],
      ['DDD-2014J', true],
      ['assessment-1', false],
      ['assessment-2', false],
      ['site-11', false],
      ['site-12', true],
    ],
  );
});

test('a row with a reference to nothing in the other files ends the run', () => {
  assert.throws(() => eventsOf({ clicks: [{ ...click, site: '99' }] }), DemoError);
  assert.throws(() => eventsOf({ results: [{ ...result, assessment: '99' }] }), DemoError);
});
