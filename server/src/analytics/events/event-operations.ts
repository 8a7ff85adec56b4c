import { inlineBodyBytes, parseInThread } from '../../api/parse-in-thread.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { invalidField } from '../../errors/api-error.ts';
import type { Threads } from '../../lib/threads.ts';
import { takeTurn } from '../../lib/turns.ts';
import { streamOperation } from '../analytics-context.ts';
import { type EventList, ndjsonLines, parseEventList, parseLine } from './event-bodies.ts';
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
      const source = isLines
        ? body.chunks(linesLimit, intakeBytes)
        : [await linesOfItems(context.threads, names, await body.read(jsonLimit, intakeBytes))];
      await takeLines(intake, names, source, isLines ? 'line' : 'item');
      const result = await intake.finish();
      context.onIntake?.(result);
      return { status: 200, body: result };
    } finally {
      names.tell();
      await intake.settle();
    }
  },
});

/**
 * Returns the items of a body `{ items: [...] }` as lines, once the syntax of the whole body is checked [D67]. The buffer of a
 * large body is transferred to a thread.
 * @throws ApiError `validation_failed` if the body is not such an object; `service_unavailable` when the server stops
 */
async function linesOfItems(
  threads: Threads,
  names: EventNames,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Buffer> {
  const list =
    bytes.length <= inlineBodyBytes
      ? parseEventList(bytes)
      : await parseInThread<EventList>(threads, threadModule, bytes, bytes);
  names.besideItems(list.otherNames);
  if ('problem' in list) throw invalidField(list.field, list.problem);
  // A thread sends plain bytes.
  return Buffer.from(list.lines.buffer, list.lines.byteOffset, list.lines.byteLength);
}

async function takeLines(
  intake: EventIntake,
  names: EventNames,
  source: Parameters<typeof ndjsonLines>[0],
  what: 'line' | 'item',
): Promise<void> {
  let taken = 0;
  for await (const { index, bytes } of ndjsonLines(source)) {
    taken += 1;
    if (taken % eventsPerTurn === 0) await takeTurn();
    const parsed = bytes === null ? { problem: `the ${what} is longer than 64 KiB` } : parseLine(bytes);
    const rejection = 'problem' in parsed ? parsed.problem : names.rejectionOf(index, parsed.value);
    if (rejection !== null) intake.reject(index, rejection);
    else if ('value' in parsed) await intake.add(index, parsed.value);
  }
}
