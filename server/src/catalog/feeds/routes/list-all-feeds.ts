import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../../api/pagination.ts';
import { FeedListQuery, feedFilterFromQuery } from '../feed-list-wire.ts';
import { FeedSummaryWire, feedToSummary } from '../feed-wire.ts';
import { listFeedProgress } from '../queries/feed-progress-list.ts';
import { feedExample } from './feed-example.ts';

/** Lists feeds across brands [internal-105]. */
export const listAllFeedsOperation = readOperation({
  id: 'listAllFeeds',
  method: 'GET',
  path: '/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of all brands',
  description: 'Lists every accepted feed, the last received first, with its status, progress and totals.',
  access: 'brands',
  query: FeedListQuery,
  responses: {
    200: {
      description: 'One page of feeds.',
      schema: listOf(FeedSummaryWire),
      example: exampleListOf(feedExample.summary),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    const filter = feedFilterFromQuery(query, brandIds);
    return pageReply(query, (page) => listFeedProgress(database, filter, page), feedToSummary);
  },
});
