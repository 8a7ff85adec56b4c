import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { Instant, Nullable, Text, Timestamp, TrimmedText } from '../../api/field-schemas.ts';
import { PageMetaWire, pageQuery } from '../../api/pagination.ts';
import { explanationOf, type Feed, feedStatuses, lineResults, type ReportedLine } from './feed.ts';
import { maxLines } from './feed-body.ts';
import { maxFigure, maxLocationLength, maxSkuLength } from './feed-line.ts';

/** What is sent. Read by `readFeedBody`, which a test holds to this. */
export const SubmitStockFeedBody = Type.Object({
  source: Text({ max: 64, description: 'The system that sends it, for the report.' }),
  mode: Type.String({ enum: ['snapshot'], description: '`delta` feeds are not available in v1.' }),
  lines: Type.Array(
    Type.Object({
      sku: TrimmedText({ max: maxSkuLength, description: 'Of a product without variants, or of a variant.' }),
      location_code: TrimmedText({
        max: maxLocationLength,
        description: 'The `external_code` of a stock location; `__default__` once that one exists.',
      }),
      quantity: Type.Integer({
        minimum: 0,
        maximum: maxFigure,
        description: 'The figure itself, no change.',
      }),
      reserved: Type.Optional(
        Type.Integer({ minimum: 0, maximum: maxFigure, description: 'Left out: stays as it is.' }),
      ),
      updated_at: Type.Optional(
        Instant({ description: 'When the figure was true. Left out: the time of receipt.' }),
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
    description: 'The batch id: one for each batch, the same for every try of it. It is remembered for good.',
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

export const FeedReportQuery = Type.Object({
  page: pageQuery.page,
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      description: 'Lines on a page. Above 500 it is taken as 500.',
      examples: [100],
    }),
  ),
});

const feedId = Type.String({ description: 'Names the feed in the report’s path.' });
const status = Type.String({
  enum: [...feedStatuses],
  description: 'Nothing more happens to a feed that is `completed` or `failed`.',
});
const reportUrl = Type.String({ description: 'Path of the report.' });
const receivedLines = Type.Integer({ description: 'Lines of the feed.' });
const message = Nullable(Type.String(), { description: 'Why the feed failed; else null.' });

const TotalsWire = Type.Object(
  {
    received: receivedLines,
    ...Object.fromEntries(lineResults.map((result) => [result, Type.Optional(Type.Integer({ minimum: 1 }))])),
  },
  {
    description: `How many lines had each result, of those decided so far; a result that did not occur is left out. Once the feed is
completed the results add up to \`received\`.`,
  },
);

export const FeedAcknowledgementWire = Type.Object({
  feed_id: feedId,
  status,
  received_lines: receivedLines,
  report_url: reportUrl,
});

export const FeedReportWire = Type.Object({
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
        sku: Type.String(),
        location_code: Type.String(),
        result: Nullable(Type.String(), { description: `${lineResults.join(', ')}; null = not decided.` }),
        message: Nullable(Type.String(), { description: 'What the result means; for people.' }),
      }),
    ),
    meta: PageMetaWire,
  }),
});

/** As an operator sees it. */
export const FeedSummaryWire = Type.Object({
  feed_id: feedId,
  batch_id: Type.String({ description: 'The Idempotency-Key of the submission.' }),
  source: Type.String(),
  status,
  received_lines: receivedLines,
  totals: TotalsWire,
  message,
  received_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
});

export function feedToAcknowledgement(feed: Feed): Static<typeof FeedAcknowledgementWire> {
  return {
    feed_id: feed.tuId,
    status: feed.status,
    received_lines: feed.receivedLines,
    report_url: reportPath(feed),
  };
}

export function feedToReport(
  feed: Feed,
  lines: readonly ReportedLine[],
  meta: Static<typeof PageMetaWire>,
): Static<typeof FeedReportWire> {
  return {
    feed_id: feed.tuId,
    source: feed.source,
    status: feed.status,
    totals: totalsOf(feed),
    message: feed.message,
    report_url: reportPath(feed),
    received_at: feed.receivedAt.toISOString(),
    finished_at: feed.finishedAt?.toISOString() ?? null,
    lines: {
      data: lines.map(({ sku, locationCode, result }) => ({
        sku,
        location_code: locationCode,
        result,
        message: explanationOf(result),
      })),
      meta,
    },
  };
}

export function feedToSummary(feed: Feed): Static<typeof FeedSummaryWire> {
  return {
    feed_id: feed.tuId,
    batch_id: feed.batchId,
    source: feed.source,
    status: feed.status,
    received_lines: feed.receivedLines,
    totals: totalsOf(feed),
    message: feed.message,
    received_at: feed.receivedAt.toISOString(),
    finished_at: feed.finishedAt?.toISOString() ?? null,
  };
}

function totalsOf({ receivedLines, counts }: Feed): { received: number } {
  const occurred = lineResults.filter((result) => counts[result] !== undefined);
  return {
    received: receivedLines,
    ...Object.fromEntries(occurred.map((result) => [result, counts[result]])),
  };
}

function reportPath({ tuId }: Feed): string {
  return `/v1/client/catalog/stock/feeds/${tuId}`;
}
