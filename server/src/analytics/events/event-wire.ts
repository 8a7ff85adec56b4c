import { type Static, Type } from 'typebox';
import {
  maxIgnored,
  type UnknownName,
  type UnknownNameReport,
  unknownName,
  unknownNameFinder,
  unknownNameMessage,
} from '../../api/unknown-names.ts';
import { ApiError } from '../../errors/api-error.ts';
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

const namedEvents = 1_000;

const find = unknownNameFinder(LearningEventWire);

/**
 * Finds unknown names in a request with events [platform-25] [D74]: by default, those of the first 1,000 are listed. Under
 * strict handling, every event with one is rejected, since a bad event never blocks valid ones; a name next to `items` rejects
 * the request.
 */
export class EventNames {
  readonly #report: UnknownNameReport;
  readonly #prefix: readonly string[];
  #found: UnknownName[] = [];

  /** `prefix`: the text before the index of an event: `items` in a JSON body, empty for lines. */
  constructor(report: UnknownNameReport, prefix: readonly string[]) {
    this.#report = report;
    this.#prefix = prefix;
  }

  /** @throws ApiError `validation_failed` for each of the names, under strict handling */
  besideItems(names: readonly string[]): void {
    const unknown = names.map((name) => unknownName([name], name, ['items']));
    if (this.#report.isStrict && unknown.length > 0) {
      const errors = unknown.map((name) => [name.path, [unknownNameMessage(name)]]);
      throw new ApiError('validation_failed', { errors: Object.fromEntries(errors) });
    }
    this.#found = unknown.slice(0, maxIgnored);
  }

  rejectionOf(index: number, event: unknown): string | null {
    if (this.#report.isStrict) {
      const [unknown] = find(event, 1);
      return unknown === undefined ? null : `${unknown.path} ${unknownNameMessage(unknown)}`;
    }
    if (index < namedEvents && this.#found.length < maxIgnored)
      for (const { path, name, known } of find(event, maxIgnored - this.#found.length))
        this.#found.push(unknownName([...this.#prefix, index, path], name, known));
    return null;
  }

  tell(): void {
    this.#report.ignored(this.#found);
  }
}
