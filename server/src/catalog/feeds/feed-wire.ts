import { type Static, Type } from 'typebox';
import {
  exampleIds,
  Instant,
  NamedObject,
  Nullable,
  Text,
  Timestamp,
  TrimmedText,
} from '../../api/field-schemas.ts';
import { PageMetaWire, pageQuery } from '../../api/pagination.ts';
import { BrandParams } from '../../brands/brand-wire.ts';
import { invalidField } from '../../errors/api-error.ts';
import {
  explanationOf,
  type Feed,
  type FeedProgress,
  type FeedWait,
  feedStatuses,
  lineResults,
  type ReportedLine,
} from './feed.ts';
import { maxLines } from './feed-body.ts';
import { maxFigure, maxLocationLength, maxSkuLength } from './feed-line.ts';

/** The request body. `parseFeedBody` parses it; a test compares the two. */
export const SubmitStockFeedBody = NamedObject('StockFeed', {
  source: Text({ max: 64, description: 'The system that sends the feed; shown in the report.' }),
  mode: Type.String({ enum: ['snapshot'], description: '`delta` feeds are not available in v1.' }),
  lines: Type.Array(
    Type.Object({
      sku: TrimmedText({
        max: maxSkuLength,
        description: 'SKU of a product without variants, or of a variant.',
      }),
      location_code: TrimmedText({
        max: maxLocationLength,
        description: 'The `external_code` of a stock location; `__default__` if that one exists.',
      }),
      quantity: Type.Integer({
        minimum: 0,
        maximum: maxFigure,
        description: 'The absolute quantity, not a difference.',
      }),
      reserved: Type.Optional(
        Type.Integer({ minimum: 0, maximum: maxFigure, description: 'Omitted: unchanged.' }),
      ),
      updated_at: Type.Optional(
        Instant({
          description:
            'When the quantity was correct in the source system, to the microsecond; at most 24 hours ahead. Default: the time of receipt.',
        }),
      ),
    }),
    { minItems: 1, maxItems: maxLines },
  ),
});

export const FeedHeaders = Type.Object({
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 191,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'The batch id: one per batch, the same for every attempt. It is kept permanently.',
    examples: ['erp-stock-2026-03-01T0830'],
  }),
});

export const FeedParams = Type.Object({
  tuId: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The `feed_id` of the acknowledgement.',
    examples: [exampleIds.feed],
  }),
});

export const BrandFeedParams = Type.Object({
  ...BrandParams.properties,
  feed_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The id of the feed.',
    examples: [exampleIds.feed],
  }),
});

export const FeedReportQuery = Type.Object({
  page: pageQuery.page,
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      description: 'Lines per page. Values above 500 are reduced to 500.',
      examples: [100],
    }),
  ),
  result: Type.Optional(
    Type.String({
      description: `Only lines with these results, comma-separated: ${lineResults.join(', ')}. \`totals\` stay those of the whole feed.`,
      examples: ['unknown_sku,unknown_location'],
    }),
  ),
});

/** Returns null for an absent `result`: all lines. @throws ApiError `validation_failed` for an unknown name [catalog-119] */
export function namesFromQuery<Name extends string>(
  text: string | undefined,
  names: readonly Name[],
): Name[] | null {
  if (text === undefined) return null;
  return text.split(',').map((given) => {
    const name = names.find((one) => one === given);
    if (name === undefined) throw invalidField('result', `must be one or more of ${names.join(', ')}`);
    return name;
  });
}

const feedId = Type.String({ description: 'Identifies the feed in the report’s path.' });
const status = Type.String({
  enum: [...feedStatuses],
  description: 'A `completed` or `failed` feed is final.',
});
const reportUrl = Type.String({ description: 'Path of the report.' });
const receivedLines = Type.Integer({ description: 'Number of lines in the feed.' });
const message = Nullable(Type.String(), { description: 'Why the feed failed; otherwise null.' });

const TotalsWire = Type.Object(
  {
    received: receivedLines,
    ...Object.fromEntries(lineResults.map((result) => [result, Type.Optional(Type.Integer({ minimum: 1 }))])),
  },
  {
    description: `Number of decided lines by result; results that did not occur are omitted. Once the feed is completed, the counts add up to
\`received\`.`,
  },
);

export const FeedAcknowledgementWire = NamedObject('StockFeedAcknowledgement', {
  feed_id: feedId,
  status,
  received_lines: receivedLines,
  report_url: reportUrl,
});

export const FeedReportWire = NamedObject('StockFeedReport', {
  feed_id: feedId,
  source: Type.String(),
  status,
  totals: TotalsWire,
  message,
  report_url: reportUrl,
  received_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  lines: Type.Object({
    data: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 0, description: 'Place of the line in the request, from 0.' }),
        sku: Type.String(),
        location_code: Type.String(),
        result: Nullable(Type.String(), { description: `${lineResults.join(', ')}; null = not decided.` }),
        message: Nullable(Type.String(), { description: 'The result in words, which may change.' }),
      }),
    ),
    meta: PageMetaWire,
    dropped_at: Nullable(Timestamp(), {
      description:
        'When the lines were deleted because they were older than the server keeps them. `data` is then empty; `totals` stay. Otherwise null.',
    }),
  }),
});

export const FeedSummaryWire = NamedObject('Feed', {
  feed_id: feedId,
  brand_id: Type.Integer(),
  batch_id: Type.String({ description: 'The Idempotency-Key of the submission.' }),
  source: Type.String(),
  status,
  received_lines: receivedLines,
  totals: TotalsWire,
  message,
  received_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  next_line: Type.Integer({ minimum: 0, description: 'Number of lines that have been worked on.' }),
  queue_position: Nullable(Type.Integer({ minimum: 1 }), {
    description:
      'Place among the unfinished feeds of the brand, which are applied one after the other; 1 = next, or being applied. null: finished.',
  }),
  lines_per_second: Nullable(Type.Number({ exclusiveMinimum: 0 }), {
    description:
      'Average rate since the receipt of the feed, or since the end of the feed before it. null: no line has been worked on.',
  }),
  submitted_by: Nullable(Type.String(), {
    description:
      'The `key_id` of the API key, or `feed-token:<id>`; for a re-queued feed the actor of the audit. null: not recorded.',
  }),
  request_id: Nullable(Type.String(), {
    description: 'The `X-Request-Id` of the submission. null: not recorded.',
  }),
  lines_dropped_at: Nullable(Timestamp(), {
    description:
      'When the lines were deleted because they were older than the server keeps them. null: they are stored.',
  }),
  requeued_as: Type.Array(Type.String(), {
    description: 'The last 20 feeds that send lines of this one again, the oldest first.',
  }),
  requeue_of: Nullable(Type.String(), {
    description: 'The feed whose lines this one sends again. null: it was sent by a client.',
  }),
  waiting: Nullable(
    Type.Object({
      for: Type.String({
        enum: ['turn', 'pause', 'lock'],
        description:
          '`turn`: for a worker or the feeds before it; `pause`: for the next attempt after one that failed; `lock`: for a session of the database that holds a lock.',
      }),
      since: Timestamp(),
      attempts: Type.Integer({ minimum: 0, description: 'Failed attempts at the next lines.' }),
      holder: Nullable(
        Type.Object({
          pid: Type.Integer({ description: 'The process id of the session in PostgreSQL.' }),
          since: Nullable(Timestamp(), { description: 'The start of its transaction, if it may be seen.' }),
        }),
      ),
    }),
    { description: 'Why the feed is not being applied now. null: it is being applied, or finished.' },
  ),
  failed_lines_left: Type.Integer({
    minimum: 0,
    description:
      'The lines of an unknown SKU or location, or of one that has no stock, that no later line, re-queue or correction has dealt with. A line that failed again counts with the later feed.',
  }),
});

export function feedToAcknowledgement(
  feed: Feed,
  pathPrefix: string,
): Static<typeof FeedAcknowledgementWire> {
  return {
    feed_id: feed.tuId,
    status: feed.status,
    received_lines: feed.receivedLines,
    report_url: reportPath(feed, pathPrefix),
  };
}

export function feedToReport(
  feed: Feed,
  lines: readonly ReportedLine[],
  meta: Static<typeof PageMetaWire>,
  pathPrefix: string,
): Static<typeof FeedReportWire> {
  return {
    feed_id: feed.tuId,
    source: feed.source,
    status: feed.status,
    totals: totalsOf(feed),
    message: feed.message,
    report_url: reportPath(feed, pathPrefix),
    received_at: feed.receivedAt.toISOString(),
    finished_at: feed.finishedAt?.toISOString() ?? null,
    lines: {
      data: lines.map(({ line, sku, locationCode, result }) => ({
        line,
        sku,
        location_code: locationCode,
        result,
        message: explanationOf(result),
      })),
      meta,
      dropped_at: feed.linesDroppedAt?.toISOString() ?? null,
    },
  };
}

export function feedToSummary(feed: FeedProgress): Static<typeof FeedSummaryWire> {
  return {
    feed_id: feed.tuId,
    brand_id: feed.brandId,
    batch_id: feed.batchId,
    source: feed.source,
    status: feed.status,
    received_lines: feed.receivedLines,
    totals: totalsOf(feed),
    message: feed.message,
    received_at: feed.receivedAt.toISOString(),
    finished_at: feed.finishedAt?.toISOString() ?? null,
    next_line: feed.nextLine,
    queue_position: feed.queuePosition,
    lines_per_second: feed.linesPerSecond,
    submitted_by: feed.submittedBy,
    request_id: feed.requestId,
    lines_dropped_at: feed.linesDroppedAt?.toISOString() ?? null,
    requeued_as: [...feed.requeuedAs],
    requeue_of: feed.requeueOf,
    waiting: waitToWire(feed.waiting),
    failed_lines_left: feed.failedLinesLeft,
  };
}

function waitToWire(wait: FeedWait | null): Static<typeof FeedSummaryWire>['waiting'] {
  if (wait === null) return null;
  const { since, holder, ...same } = wait;
  return {
    ...same,
    since: since.toISOString(),
    holder: holder === null ? null : { pid: holder.pid, since: holder.since?.toISOString() ?? null },
  };
}

function totalsOf({ receivedLines, counts }: Feed): { received: number } {
  const occurred = lineResults.filter((result) => counts[result] !== undefined);
  return {
    received: receivedLines,
    ...Object.fromEntries(occurred.map((result) => [result, counts[result]])),
  };
}

/** The path under which the client of this request finds the report [platform-83]. */
function reportPath({ tuId }: Feed, pathPrefix: string): string {
  return `${pathPrefix}/v1/client/catalog/stock/feeds/${tuId}`;
}
