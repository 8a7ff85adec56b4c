import { deserialize } from 'node:v8';
import { inlineBodyBytes, parseInThread } from '../../api/parse-in-thread.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { invalidField } from '../../errors/api-error.ts';
import type { Threads } from '../../lib/threads.ts';
import { takeTurn } from '../../lib/turns.ts';
import { type AnalyticsContext, streamOperation } from '../analytics-context.ts';
import { type EventList, type GroupItem, ndjsonLines, parseEventList, parseLine } from './event-bodies.ts';
import { EventIntake } from './event-intake.ts';
import { EventNames, EventsTakenWire, eventExample, PostLearningEventsBody } from './event-wire.ts';

/** The names of one format: none is registered [platform-24]. */
const lineTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const jsonLimit = 8 * 1024 * 1024;
const linesLimit = 64 * 1024 * 1024;
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
  access: 'brand',
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
    const isLines = lineTypes.includes(contentType);
    const names = new EventNames(unknownNames, isLines ? [] : ['items']);
    try {
      if (isLines) await takeLines(intake, names, body.chunks(linesLimit, intakeBytes));
      else await takeItems(context, intake, names, await body.read(jsonLimit, intakeBytes));
      const result = await intake.finish();
      context.onIntake?.(result);
      return { status: 200, body: result };
    } finally {
      names.tell();
      await intake.settle();
    }
  },
});

async function takeItems(
  { threads }: AnalyticsContext,
  intake: EventIntake,
  names: EventNames,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const groups = readEventList(threads, bytes, (others) => names.besideItems(others));
  for await (const { first, items } of groups)
    for (const [place, item] of items.entries()) {
      const room =
        'refusal' in item
          ? intake.reject(first + place, item.refusal)
          : takeEvent(intake, names, first + place, item.value);
      if (room !== undefined) await room;
    }
}

/** Consecutive items; `first` is the index of the first one. */
interface SentItems {
  readonly first: number;
  readonly items: readonly GroupItem[];
}

/**
 * Yields the items of a body `{ items: [...] }` in groups once the syntax of the whole body is checked [D67], and lets other
 * requests run between them. `onOtherNames` receives the other names, 100 at most, before the first item or problem. The
 * buffer of a large body is transferred to a thread.
 * @throws ApiError `validation_failed` if the body is not such an object; `service_unavailable` when the server stops
 */
async function* readEventList(
  threads: Threads,
  bytes: Uint8Array<ArrayBuffer>,
  onOtherNames: (names: readonly string[]) => void = () => {},
): AsyncGenerator<SentItems> {
  const list =
    bytes.length <= inlineBodyBytes
      ? parseEventList(bytes)
      : await parseInThread<EventList>(threads, threadModule, bytes, bytes);
  onOtherNames(list.otherNames);
  if ('problem' in list) throw invalidField(list.field, list.problem);
  for (const { first, items } of list.groups) {
    await takeTurn();
    yield { first, items: deserialize(items) as GroupItem[] };
  }
}

function takeEvent(intake: EventIntake, names: EventNames, index: number, value: unknown) {
  const rejection = names.rejectionOf(index, value);
  if (rejection === null) return intake.add(index, value);
  intake.reject(index, rejection);
  return undefined;
}

async function takeLines(intake: EventIntake, names: EventNames, body: AsyncIterable<Buffer>): Promise<void> {
  let taken = 0;
  for await (const { index, bytes } of ndjsonLines(body)) {
    taken += 1;
    if (taken % eventsPerTurn === 0) await takeTurn();
    if (bytes === null) {
      intake.reject(index, 'the line is longer than 64 KiB');
      continue;
    }
    const parsed = parseLine(bytes);
    if ('problem' in parsed) {
      intake.reject(index, parsed.problem);
      continue;
    }
    const room = takeEvent(intake, names, index, parsed.value);
    if (room !== undefined) await room;
  }
}
