import { type Static, Type } from 'typebox';
import { eventKinds } from '../store/engine.ts';

const maxInt4 = 2_147_483_647;
const Count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: maxInt4, description }));
const Share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }));
const tuId = { pattern: '^[A-Za-z0-9_-]{1,64}$' };

/** For the document only: `readSentEvent` reads events, and a test compares the two [internal-36]. */
export const LearningEventWire = Type.Object({
  event_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Unique in the brand: sending an event again changes nothing.',
  }),
  occurred_at: Type.String({ format: 'date-time', description: 'Its UTC day is the day of the event.' }),
  kind: Type.String({ enum: [...eventKinds] }),
  user: Type.String({ ...tuId, description: '`tu_id` of a learner in the directory.' }),
  content: Type.Object(
    { type: Type.String({ pattern: '^[a-z_]{1,32}$' }), tu_id: Type.String(tuId) },
    { description: 'A content that is not in the directory is reported as an orphaned reference.' },
  ),
  market: Type.Optional(
    Type.String({ ...tuId, description: '`tu_id` of a market. Default: the learner’s market.' }),
  ),
  progress: Share('Percentage of the content that was watched; `view` only.'),
  score: Share('`quiz` only, where it is required.'),
  questions: Count('`quiz` only, together with `answered`.'),
  answered: Count('At most `questions`; `quiz` only.'),
  time_spent_seconds: Count('Default: 0.'),
  xp_earned: Count('Default: 0.'),
});

export const PostLearningEventsBody = Type.Object({ items: Type.Array(LearningEventWire) });

export const EventsTakenWire = Type.Object({
  accepted: Type.Integer({ description: 'Stored.' }),
  duplicates: Type.Integer({
    description: 'Events whose event_id was already stored, or occurred earlier in the request.',
  }),
  excluded: Type.Integer({ description: 'Events of learners who have opted out; not stored.' }),
  rejected: Type.Array(
    Type.Object({
      index: Type.Integer({ description: '0-based item or line.' }),
      message: Type.String(),
    }),
  ),
  rejected_count: Type.Integer({ description: 'All rejections, including unlisted ones.' }),
});

export const eventExample = {
  event_id: 'evt-1',
  occurred_at: '2026-03-01T10:15:00+01:00',
  kind: 'quiz',
  user: 'u-4711',
  content: { type: 'episode', tu_id: 'ep-12' },
  score: 80,
  questions: 5,
  answered: 5,
  time_spent_seconds: 90,
  xp_earned: 10,
};

export type EventsTaken = Static<typeof EventsTakenWire>;
export type RejectedEvent = EventsTaken['rejected'][number];
