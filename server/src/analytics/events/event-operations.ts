import { Type } from 'typebox';
import { NamedObject } from '../../api/field-schemas.ts';
import { inlineBodyBytes, parseInThread, type ThreadUse } from '../../api/parse-in-thread.ts';
import {
  maxIgnored,
  type UnknownName,
  type UnknownNameReport,
  unknownName,
  unknownNameFinder,
  unknownNameMessage,
} from '../../api/unknown-names.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import type { Owner } from '../../lib/semaphore.ts';
import { streamOperation } from '../analytics-context.ts';
import { eventKinds } from '../store/engine.ts';
import { type EventList, ndjsonLines, parseEventList, parseLine } from './event-bodies.ts';
import { EventIntake } from './event-intake.ts';

const maxInt4 = 2_147_483_647;
const Count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: maxInt4, description }));
const Share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }));
const tuId = { pattern: '^[A-Za-z0-9_-]{1,64}$' };

/** For the document only: `readSentEvent` reads events, and a test compares the two [internal-36]. */
export const LearningEventWire = NamedObject('LearningEvent', {
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

const PostLearningEventsBody = NamedObject('EventBatch', { items: Type.Array(LearningEventWire) });

const EventsTakenWire = NamedObject('EventsTaken', {
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

const eventExample = {
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

/** The names of one format: none is registered [platform-24]. */
const lineTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const jsonLimit = 8 * 1024 * 1024;
const linesLimit = 64 * 1024 * 1024;
/** The sentence that a 413 of the JSON form adds. */
const asLines = 'Send the events as NDJSON (application/x-ndjson), up to 64 MiB, or in several requests.';
const threadModule = new URL('./event-list-thread.ts', import.meta.url);
/** The memory of one request's batches and rejections, in bytes. */
const intakeBytes = 4 * 1024 * 1024;
/** Yields the event loop about every millisecond, or all that arrived while a batch was awaited is parsed in one go. */
const eventsPerTurn = 250;

/** Reports bad events and stores the others [internal-34]. */
export const postLearningEventsOperation = streamOperation({
  id: 'postLearningEvents',
  method: 'POST',
  path: '/brands/:id/events',
  tag: 'Analytics',
  summary: 'Ingest learning events',
  description: `\`application/x-ndjson\` (or \`application/ndjson\`, \`application/jsonl\`): one event per line, streamed, up to 64 MiB;
or \`application/json\` with \`items\`, up to 8 MiB.
A rejected event never blocks valid ones (an event longer than 64 KiB or nested deeper than 64 levels is rejected), and sending
the same events again changes nothing. Events are stored in batches as they arrive: if a request is interrupted or
too large, send it again, in parts.
Both forms can be compressed with \`Content-Encoding: gzip\`; the limit counts decoded bytes. Rejections beyond 10,000 are counted
but not listed.

\`X-Ignored\` lists unknown names of the first 1,000 events. With \`Prefer: handling=strict\`, every event with an unknown name is rejected.`,
  access: 'one-brand',
  contentTypes: [...lineTypes, 'application/json'],
  params: BrandParams,
  body: PostLearningEventsBody,
  bodyExample: { items: [eventExample] },
  responses: {
    200: {
      description: 'The outcome of the events.',
      schema: EventsTakenWire,
      example: {
        accepted: 998,
        duplicates: 1,
        excluded: 0,
        rejected: [{ index: 17, message: 'user is not in the directory' }],
        rejected_count: 1,
      },
    },
  },
  errors: ['analytics_unavailable'],
  handle: async (context, { params, contentType, body, unknownNames }) => {
    const brand = await getBrand(context.database, brandIdFromPath(params.id));
    const intake = new EventIntake(context, context.analytics, brand.id);
    const use = { threads: context.threads, owner: brand.id };
    const isLines = lineTypes.includes(contentType);
    const names = new EventNames(unknownNames, isLines ? [] : ['items']);
    try {
      const source = isLines
        ? body.chunks(linesLimit, intakeBytes)
        : [await linesOfItems(use, names, await body.read(jsonLimit, intakeBytes, asLines))];
      await takeLines(intake, names, source, { what: isLines ? 'line' : 'item', owner: brand.id });
      const result = await intake.finish();
      context.onIntake?.(result);
      return { status: 200, body: result };
    } finally {
      names.report();
      await intake.settle();
    }
  },
});

/**
 * Returns the items of a body `{ items: [...] }` as lines, once the syntax of the whole body is checked [D33]. The buffer of a
 * large body is transferred to a thread.
 * @throws ApiError `validation_failed` if the body is not such an object; `service_unavailable` when the server stops
 */
async function linesOfItems(
  use: ThreadUse,
  names: EventNames,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Buffer> {
  const list =
    bytes.length <= inlineBodyBytes
      ? parseEventList(bytes)
      : await parseInThread<EventList>(use, threadModule, bytes, bytes);
  names.besideItems(list.otherNames);
  if ('problem' in list) throw invalidField(list.field, list.problem);
  // A thread sends plain bytes.
  return Buffer.from(list.lines.buffer, list.lines.byteOffset, list.lines.byteLength);
}

async function takeLines(
  intake: EventIntake,
  names: EventNames,
  source: Parameters<typeof ndjsonLines>[0],
  { what, owner }: { readonly what: 'line' | 'item'; readonly owner: Owner },
): Promise<void> {
  let taken = 0;
  for await (const { index, bytes } of ndjsonLines(source)) {
    taken += 1;
    if (taken % eventsPerTurn === 0) await takeTurn(owner);
    const parsed = bytes === null ? { problem: `the ${what} is longer than 64 KiB` } : parseLine(bytes);
    const rejection = 'problem' in parsed ? parsed.problem : names.rejectionOf(index, parsed.value);
    if (rejection !== null) intake.reject(index, rejection);
    else if ('value' in parsed) await intake.add(index, parsed.value);
  }
}

const namedEvents = 1_000;

const find = unknownNameFinder(LearningEventWire);

/**
 * Finds unknown names in a request with events [platform-25] [D64]: by default, those of the first 1,000 are listed. Under
 * strict handling, every event with one is rejected, since a bad event never blocks valid ones; a name next to `items` rejects
 * the request.
 */
class EventNames {
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

  report(): void {
    this.#report.ignored(this.#found);
  }
}
