import { type Static, Type } from 'typebox';
import { exampleIds, Nullable, SourceTimestamp, Timestamp } from '../../api/field-schemas.ts';
import { PageMetaWire } from '../../api/pagination.ts';
import { BrandParams } from '../../brands/brand-wire.ts';
import { shownSourceTime, sourceTimeOf } from '../../lib/source-time.ts';
import { explanationOf, type FeedLineDetail, type LineState, lineStates } from './feed.ts';
import { maxLines } from './feed-body.ts';
import { FeedSummaryWire, SubmitStockFeedBody } from './feed-wire.ts';

export const BrandFeedParams = Type.Object({
  ...BrandParams.properties,
  feed_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The id of the feed.',
    examples: [exampleIds.feed],
  }),
});

export const lineStateFilter = {
  result: Type.Optional(
    Type.String({
      description: `Only lines with these results, comma-separated: ${lineStates.join(', ')}.`,
      examples: ['unknown_sku,unknown_location'],
    }),
  ),
};

export const exportNotes = `Lines of a feed that is being applied are as they were when they were read. If the lines were dropped because they were older
than the server keeps them, the response is 409 \`conflict\`. A connection that closes before the end of the body means that the body is
incomplete.`;

export const RequeueFeedBody = Type.Object({
  results: Type.Array(Type.Unsafe<LineState>({ type: 'string', enum: [...lineStates] }), {
    minItems: 1,
    maxItems: lineStates.length,
    description:
      'The results of the lines to send again. `undecided`: the lines without a result of a failed feed.',
  }),
});

export const CorrectFeedBody = Type.Object({
  lines: SubmitStockFeedBody.properties.lines,
  corrects: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: maxLines }), {
      maxItems: maxLines,
      description:
        'The lines of the feed that these lines replace, by their place, from 0: they count as failed no longer.',
    }),
  ),
});

export const FeedLineWire = Type.Object({
  line: Type.Integer({ minimum: 0, description: 'Place of the line in the request, from 0.' }),
  sku: Type.String(),
  location_code: Type.String(),
  quantity: Type.Integer(),
  reserved: Nullable(Type.Integer(), { description: 'null: the line leaves the reservation unchanged.' }),
  updated_at: SourceTimestamp({
    description: 'The time that the line was sent with; else the time of receipt.',
  }),
  result: Nullable(Type.String(), { description: 'null = not decided.' }),
  message: Nullable(Type.String(), { description: 'The result in words, which may change.' }),
});

export const FeedLinesCsvWire = Type.String({ description: 'A header, and a row for each line.' });

export const FeedLinesJsonlWire = Type.String({ description: 'A JSON object for each line.' });

export const FeedLinePageWire = Type.Object({
  data: Type.Array(FeedLineWire),
  meta: PageMetaWire,
  feed: FeedSummaryWire,
  dropped_at: Nullable(Timestamp(), {
    description:
      'When the lines were deleted because they were older than the server keeps them. `data` is then empty. Otherwise null.',
  }),
});

export const feedLineDetailExample: FeedLineDetail = {
  line: 1,
  sku: 'TEE-999',
  locationCode: 'WH-BERLIN',
  quantity: 3,
  reserved: 1,
  updatedAt: sourceTimeOf(new Date('2026-03-01T08:30:00.000Z')),
  result: 'unknown_sku',
};

export const feedLineColumns = Object.keys(FeedLineWire.properties) as (keyof Static<typeof FeedLineWire>)[];

export function feedLineToWire(line: FeedLineDetail): Static<typeof FeedLineWire> {
  return {
    line: line.line,
    sku: line.sku,
    location_code: line.locationCode,
    quantity: line.quantity,
    reserved: line.reserved,
    updated_at: shownSourceTime(line.updatedAt),
    result: line.result,
    message: explanationOf(line.result),
  };
}

export const feedLineExample = feedLineToWire(feedLineDetailExample);
