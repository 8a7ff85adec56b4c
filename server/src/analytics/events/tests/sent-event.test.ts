import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSentEvent, type SentEvent } from '../sent-event.ts';

const now = Date.parse('2026-03-02T12:00:00Z');

const view = {
  event_id: 'e1',
  occurred_at: '2026-03-01T23:30:00-02:00',
  kind: 'view',
  user: 'u1',
  content: { type: 'episode', tu_id: 'c1' },
};
const quiz = { ...view, kind: 'quiz', score: 80 };

test('an event gets its defaults and its instant in UTC', () => {
  assert.deepEqual(readSentEvent({ ...view, email: 'ignored' }, now), {
    eventId: 'e1',
    occurredAt: new Date('2026-03-02T01:30:00Z'),
    kind: 'view',
    user: 'u1',
    content: { type: 'episode', tuId: 'c1' },
    market: null,
    progress: null,
    score: null,
    questions: null,
    answered: null,
    timeSpentSeconds: 0,
    xpEarned: 0,
  } satisfies SentEvent);
});

const accepted: [string, object][] = [
  ['progress at its edges', { ...view, progress: 0 }],
  ['progress at its other edge', { ...view, progress: 100 }],
  ['a fractional score', { ...quiz, score: 33.333 }],
  ['all questions answered', { ...quiz, questions: 3, answered: 3 }],
  ['no questions', { ...quiz, questions: 0, answered: 0 }],
  [
    'time and experience on any kind',
    { ...view, kind: 'success', time_spent_seconds: 2147483647, xp_earned: 5 },
  ],
  ['exactly 24 hours ahead', { ...view, occurred_at: '2026-03-03T12:00:00Z' }],
  ['the first instant of 2000', { ...view, occurred_at: '2000-01-01T00:00:00Z' }],
  ['an id of 64 characters beyond the basic plane', { ...view, event_id: '😀'.repeat(64) }],
  ['a content type yet to come', { ...view, content: { type: 'live_session', tu_id: 'x' } }],
];

for (const [what, event] of accepted)
  test(`accepted: ${what}`, () => assert.equal(typeof readSentEvent(event, now), 'object'));

const rejected: [string, unknown, RegExp][] = [
  ['no object', [view], /object/],
  ['null', null, /object/],
  ['no event_id', { ...view, event_id: undefined }, /event_id/],
  ['an empty event_id', { ...view, event_id: '' }, /event_id/],
  ['an event_id of 65 characters', { ...view, event_id: 'x'.repeat(65) }, /event_id/],
  ['U+0000 in event_id', { ...view, event_id: 'a\u0000' }, /event_id/],
  ['a lone surrogate in event_id', { ...view, event_id: '\ud800' }, /event_id/],
  ['a number as event_id', { ...view, event_id: 1 }, /event_id/],
  ['no offset', { ...view, occurred_at: '2026-03-01T10:00:00' }, /occurred_at/],
  ['a day that does not exist', { ...view, occurred_at: '2026-02-30T10:00:00Z' }, /occurred_at/],
  ['a millisecond more than 24 hours ahead', { ...view, occurred_at: '2026-03-03T12:00:00.001Z' }, /ahead/],
  [
    'a time that was not set',
    { ...view, occurred_at: '0001-01-01T00:00:00Z' },
    /before 2000-01-01T00:00:00Z/,
  ],
  ['the last millisecond before 2000', { ...view, occurred_at: '1999-12-31T23:59:59.999Z' }, /before 2000/],
  [
    '1999 in its own offset, but not in UTC',
    { ...view, occurred_at: '2000-01-01T00:59:59+01:00' },
    /before 2000/,
  ],
  ['another kind', { ...view, kind: 'like' }, /kind/],
  ['an inherited property as kind', { ...view, kind: 'toString' }, /kind/],
  ['a user that is no tu_id', { ...view, user: 'a b' }, /user/],
  ['no content', { ...view, content: undefined }, /content/],
  ['a content type in capitals', { ...view, content: { type: 'Episode', tu_id: 'x' } }, /content\.type/],
  ['a content without tu_id', { ...view, content: { type: 'episode' } }, /content\.tu_id/],
  ['a market that is no tu_id', { ...view, market: 7 }, /market/],
  ['progress on a completion', { ...view, kind: 'completion', progress: 5 }, /progress/],
  ['progress above 100', { ...view, progress: 100.1 }, /progress/],
  ['progress as text', { ...view, progress: '5' }, /progress/],
  ['a quiz without score', { ...quiz, score: undefined }, /score/],
  ['a score below 0', { ...quiz, score: -0.1 }, /score/],
  ['a score on a view', { ...view, score: 5 }, /score/],
  ['questions without answered', { ...quiz, questions: 3 }, /together/],
  ['answered without questions', { ...quiz, answered: 3 }, /together/],
  ['more answered than questions', { ...quiz, questions: 2, answered: 3 }, /answered/],
  ['half a question', { ...quiz, questions: 1.5, answered: 1 }, /answered/],
  ['questions on a view', { ...view, questions: 1, answered: 1 }, /quiz/],
  ['negative time', { ...view, time_spent_seconds: -1 }, /time_spent_seconds/],
  ['time beyond the column', { ...view, time_spent_seconds: 2147483648 }, /time_spent_seconds/],
  ['experience as text', { ...view, xp_earned: '1' }, /xp_earned/],
];

// [internal-36]
for (const [what, event, message] of rejected)
  test(`rejected: ${what}`, () => assert.match(String(readSentEvent(event, now)), message));
