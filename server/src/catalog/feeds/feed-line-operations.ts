import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, SourceTimestamp, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, PageMetaWire, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import type { StreamedText } from '../../api/reply.ts';
import { brandIdFromPath } from '../../brands/brand-wire.ts';
import { csvRow } from '../../lib/csv-row.ts';
import { shownSourceTime, sourceTimeOf } from '../../lib/source-time.ts';
import type { Queryable } from '../../postgres/database.ts';
import { explanationOf, type Feed, type FeedLineDetail, type LineChoice, lineStates } from './feed.ts';
import { feedExample } from './feed-example.ts';
import { linesDropped, listFeedLines, readFeedLines } from './feed-lines-store.ts';
import { getFeed } from './feed-store.ts';
import { BrandFeedParams, FeedSummaryWire, feedToSummary, namesFromQuery } from './feed-wire.ts';

const lineFilter = {
  result: Type.Optional(
    Type.String({
      description: `Only lines with these results, comma-separated: ${lineStates.join(', ')}.`,
      examples: ['unknown_sku,unknown_location'],
    }),
  ),
  left: Type.Optional(
    Type.Boolean({
      description:
        '`true`: only failed lines that are left, as `failed_lines_left` of the feed counts them, and undecided ones if `result` names them.',
      examples: [true],
    }),
  ),
};

function choiceFromQuery({ result, left }: { result?: string; left?: boolean }): LineChoice {
  return { states: namesFromQuery(result, lineStates), isLeft: left === true };
}

const exportNotes = `Lines of a feed that is being applied are as they were when they were read. If the lines were dropped because they were older
than the server keeps them, the response is 409 \`conflict\`. A connection that closes before the end of the body means that the body is
incomplete.`;

const FeedLineWire = NamedObject('FeedLine', {
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

const FeedLinePageWire = NamedObject('FeedLinePage', {
  data: Type.Array(FeedLineWire),
  meta: PageMetaWire,
  feed: FeedSummaryWire,
  dropped_at: Nullable(Timestamp(), {
    description:
      'When the lines were deleted because they were older than the server keeps them. `data` is then empty. Otherwise null.',
  }),
});

const feedLineDetailExample: FeedLineDetail = {
  line: 1,
  sku: 'TEE-999',
  locationCode: 'WH-BERLIN',
  quantity: 3,
  reserved: 1,
  updatedAt: sourceTimeOf(new Date('2026-03-01T08:30:00.000Z')),
  result: 'unknown_sku',
};

const feedLineColumns = Object.keys(FeedLineWire.properties) as (keyof Static<typeof FeedLineWire>)[];

function feedLineToWire(line: FeedLineDetail): Static<typeof FeedLineWire> {
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

const feedLineExample = feedLineToWire(feedLineDetailExample);

interface ExportFormat {
  readonly mediaType: 'text/csv' | 'application/x-ndjson';
  readonly extension: string;
  /** Describes the file in the OpenAPI document. */
  readonly description: string;
  readonly header: string;
  line(line: FeedLineDetail): string;
}

const csvLines: ExportFormat = {
  mediaType: 'text/csv',
  extension: 'csv',
  description: 'A header, and a row for each line.',
  header: csvRow(feedLineColumns),
  line: (line) => {
    const cells = feedLineToWire(line);
    return csvRow(feedLineColumns.map((column) => cells[column]));
  },
};

const jsonLines: ExportFormat = {
  mediaType: 'application/x-ndjson',
  extension: 'jsonl',
  description: 'A JSON object for each line.',
  header: '',
  line: (line) => `${JSON.stringify(feedLineToWire(line))}\n`,
};

/** Shows the lines of a feed with everything that was sent [internal-100]. */
const listFeedLinesOperation = readOperation({
  id: 'listFeedLines',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id/lines',
  tag: 'Feeds and jobs',
  summary: 'List the lines of a stock feed',
  description:
    'Lists the lines in the order in which they were sent, or those that `result` and `left` choose. `feed` is the feed at the moment at which its lines were read.',
  access: 'one-brand',
  params: BrandFeedParams,
  query: Type.Object({ ...lineFilter, ...pageQuery }),
  responses: {
    200: {
      description: 'One page of lines.',
      schema: FeedLinePageWire,
      example: { ...exampleListOf(feedLineExample), feed: feedExample.summary, dropped_at: null },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const choice = choiceFromQuery(query);
    const key = { brandId: brandIdFromPath(params.id), feedId: params.feed_id };
    const page = pageOf(query);
    const { feed, lines, total } = await listFeedLines(database, key, choice, page);
    return {
      status: 200,
      body: {
        data: lines.map(feedLineToWire),
        meta: pageMeta(page, total),
        feed: feedToSummary(feed),
        dropped_at: feed.linesDroppedAt?.toISOString() ?? null,
      },
    };
  },
});

/** Streams lines in a format [internal-101]. `description`: what a line has. */
function exportOperation(id: string, name: string, format: ExportFormat, description: string): Operation {
  const LinesWire = Type.String({ description: format.description });
  return readOperation({
    id,
    method: 'GET',
    path: `/brands/:id/feeds/:feed_id/lines.${format.extension}`,
    tag: 'Feeds and jobs',
    summary: `Download the lines of a stock feed as ${name}`,
    description: `Streams the lines in the order in which they were sent, or those that \`result\` and \`left\` choose: ${description}

${exportNotes}`,
    access: 'one-brand',
    params: BrandFeedParams,
    query: Type.Object(lineFilter),
    responses: {
      200: {
        description: 'The lines.',
        mediaType: format.mediaType,
        schema: LinesWire,
        example: format.header + format.line(feedLineDetailExample),
      },
    },
    errors: ['conflict'],
    handle: async ({ database }, { params, query }) => {
      const choice = choiceFromQuery(query);
      const key = { brandId: brandIdFromPath(params.id), feedId: params.feed_id };
      return { status: 200, stream: await exportFeedLines(database, key, choice, format) };
    },
  });
}

/** @throws ApiError `not_found`; `conflict` if the lines were dropped: an empty file would say that there were none */
async function exportFeedLines(
  database: Queryable,
  key: { readonly brandId: number; readonly feedId: string },
  choice: LineChoice,
  format: ExportFormat,
): Promise<StreamedText> {
  const { feed } = await getFeed(database, key.brandId, key.feedId);
  if (feed.linesDroppedAt !== null) throw linesDropped(feed.linesDroppedAt);
  return {
    mediaType: format.mediaType,
    fileName: `feed-${feed.tuId}.${format.extension}`,
    parts: textOf(database, feed, choice, format),
  };
}

/** The first part has the header and lines, so that a failure to read them is still an error response. */
async function* textOf(
  database: Queryable,
  feed: Feed,
  choice: LineChoice,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  let { header } = format;
  for await (const lines of readFeedLines(database, feed, choice)) {
    yield header + lines.map((line) => format.line(line)).join('');
    header = '';
  }
  if (header !== '') yield header;
}

export const feedLineOperations: readonly Operation[] = [
  listFeedLinesOperation, // GET /brands/:id/feeds/:feed_id/lines
  exportOperation(
    'getFeedLinesCsv', // GET /brands/:id/feeds/:feed_id/lines.csv
    'CSV',
    csvLines,
    `the fields of the list
as columns, below a header. UTF-8, RFC 4180 with \`\\n\` as line end.

SKUs and codes come from clients: a value that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break gets a leading
apostrophe, so that a spreadsheet does not run it as a formula. For the exact values use \`lines.jsonl\`.`,
  ),
  // GET /brands/:id/feeds/:feed_id/lines.jsonl
  exportOperation('getFeedLinesJsonl', 'JSON Lines', jsonLines, 'an object of the list\non each line.'),
];
