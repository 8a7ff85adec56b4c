import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { lineStates } from '../feed.ts';
import {
  BrandFeedParams,
  exportNotes,
  FeedLinesJsonlWire,
  feedLineDetailExample,
  lineStateFilter,
} from '../feed-line-wire.ts';
import { exportFeedLines, jsonLines } from '../feed-lines-text.ts';
import { namesFromQuery } from '../feed-wire.ts';

/** Streams lines as JSON Lines [internal-101]. */
export const getFeedLinesJsonlOperation = readOperation({
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
