import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { FeedListQuery, feedFilterFromQuery } from '../feed-list-wire.ts';
import { FeedSummaryWire, feedToSummary } from '../feed-wire.ts';
import { listFeedProgress } from '../queries/feed-progress-list.ts';
import { feedExample } from './feed-example.ts';

export const listBrandFeedsOperation = readOperation({
  id: 'listBrandFeeds',
  method: 'GET',
  path: '/brands/:id/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of a brand',
  description: 'Lists every accepted feed, the last received first, with its status, progress and totals.',
  access: 'brand',
  params: BrandParams,
  query: FeedListQuery,
  responses: {
    200: {
      description: 'One page of feeds.',
      schema: listOf(FeedSummaryWire),
      example: exampleListOf(feedExample.summary),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const filter = feedFilterFromQuery(query, [brand.id]);
    return pageReply(query, (page) => listFeedProgress(database, filter, page), feedToSummary);
  },
});
