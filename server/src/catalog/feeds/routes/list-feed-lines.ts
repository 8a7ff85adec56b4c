import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { lineStates } from '../feed.ts';
import {
  BrandFeedParams,
  FeedLinePageWire,
  feedLineExample,
  feedLineToWire,
  lineStateFilter,
} from '../feed-line-wire.ts';
import { feedToSummary, namesFromQuery } from '../feed-wire.ts';
import { listFeedLines } from '../queries/feed-lines.ts';
import { feedExample } from './feed-example.ts';

/** Shows the lines of a feed with everything that was sent [internal-100]. */
export const listFeedLinesOperation = readOperation({
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
