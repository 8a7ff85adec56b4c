import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { lineStates } from '../feed.ts';
import {
  BrandFeedParams,
  exportNotes,
  FeedLinesCsvWire,
  feedLineDetailExample,
  lineStateFilter,
} from '../feed-line-wire.ts';
import { csvLines, exportFeedLines } from '../feed-lines-text.ts';
import { namesFromQuery } from '../feed-wire.ts';

/** Streams lines as CSV [internal-101]. */
export const getFeedLinesCsvOperation = readOperation({
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
