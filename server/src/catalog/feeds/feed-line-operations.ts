import { Type } from 'typebox';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { brandIdFromPath } from '../../brands/brand-wire.ts';
import { lineStates } from './feed.ts';
import { feedExample } from './feed-example.ts';
import {
  BrandFeedParams,
  exportNotes,
  FeedLinePageWire,
  FeedLinesCsvWire,
  FeedLinesJsonlWire,
  feedLineDetailExample,
  feedLineExample,
  feedLineToWire,
  lineStateFilter,
} from './feed-line-wire.ts';
import { csvLines, exportFeedLines, jsonLines } from './feed-lines-text.ts';
import { feedToSummary, namesFromQuery } from './feed-wire.ts';
import { listFeedLines } from './queries/feed-lines.ts';

/** Shows the lines of a feed with everything that was sent [internal-100]. */
const listFeedLinesOperation = readOperation({
  id: 'listFeedLines',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id/lines',
  tag: 'Feeds and jobs',
  summary: 'List the lines of a stock feed',
  description:
    'Lists the lines in the order in which they were sent, or those with the results in `result`. `feed` is the feed at the moment at which its lines were read.',
  access: 'brand',
  params: BrandFeedParams,
  query: Type.Object({ ...lineStateFilter, ...pageQuery }),
  responses: {
    200: {
      description: 'One page of lines.',
      schema: FeedLinePageWire,
      example: { ...exampleListOf(feedLineExample), feed: feedExample.summary, dropped_at: null },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const states = namesFromQuery(query.result, lineStates);
    const key = { brandId: brandIdFromPath(params.id), feedId: params.feed_id };
    const page = pageOf(query);
    const { feed, lines, total } = await listFeedLines(database, key, states, page);
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

/** Streams lines as CSV [internal-101]. */
const getFeedLinesCsvOperation = readOperation({
  id: 'getFeedLinesCsv',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id/lines.csv',
  tag: 'Feeds and jobs',
  summary: 'Download the lines of a stock feed as CSV',
  description: `Streams the lines in the order in which they were sent, or those with the results in \`result\`: the fields of the list
as columns, below a header. UTF-8, RFC 4180 with \`\\n\` as line end.

SKUs and codes come from clients: a value that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break gets a leading
apostrophe, so that a spreadsheet does not run it as a formula. For the exact values use \`lines.jsonl\`.

${exportNotes}`,
  access: 'brand',
  params: BrandFeedParams,
  query: Type.Object(lineStateFilter),
  responses: {
    200: {
      description: 'The lines.',
      mediaType: csvLines.mediaType,
      schema: FeedLinesCsvWire,
      example: csvLines.header + csvLines.line(feedLineDetailExample),
    },
  },
  errors: ['conflict'],
  handle: async ({ database }, { params, query }) => {
    const states = namesFromQuery(query.result, lineStates);
    const key = { brandId: brandIdFromPath(params.id), feedId: params.feed_id };
    return { status: 200, stream: await exportFeedLines(database, key, states, csvLines) };
  },
});

/** Streams lines as JSON Lines [internal-101]. */
const getFeedLinesJsonlOperation = readOperation({
  id: 'getFeedLinesJsonl',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id/lines.jsonl',
  tag: 'Feeds and jobs',
  summary: 'Download the lines of a stock feed as JSON Lines',
  description: `Streams the lines in the order in which they were sent, or those with the results in \`result\`: an object of the list
on each line.

${exportNotes}`,
  access: 'brand',
  params: BrandFeedParams,
  query: Type.Object(lineStateFilter),
  responses: {
    200: {
      description: 'The lines.',
      mediaType: jsonLines.mediaType,
      schema: FeedLinesJsonlWire,
      example: jsonLines.header + jsonLines.line(feedLineDetailExample),
    },
  },
  errors: ['conflict'],
  handle: async ({ database }, { params, query }) => {
    const states = namesFromQuery(query.result, lineStates);
    const key = { brandId: brandIdFromPath(params.id), feedId: params.feed_id };
    return { status: 200, stream: await exportFeedLines(database, key, states, jsonLines) };
  },
});

export const feedLineOperations: readonly Operation[] = [
  listFeedLinesOperation, //     GET /brands/:id/feeds/:feed_id/lines
  getFeedLinesCsvOperation, //   GET /brands/:id/feeds/:feed_id/lines.csv
  getFeedLinesJsonlOperation, // GET /brands/:id/feeds/:feed_id/lines.jsonl
];
