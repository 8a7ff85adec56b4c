import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../api/pagination.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { feedExample } from './feed-example.ts';
import { BrandFeedParams } from './feed-line-wire.ts';
import { FeedListQuery, feedFilterFromQuery } from './feed-list-wire.ts';
import { FeedSummaryWire, feedToSummary } from './feed-wire.ts';
import { getFeedProgress, listFeedProgress } from './queries/feed-progress-list.ts';

const pageResponses = {
  200: {
    description: 'One page of feeds.',
    schema: listOf(FeedSummaryWire),
    example: exampleListOf(feedExample.summary),
  },
};

/** Lists feeds across brands [internal-105]. */
const listAllFeedsOperation = readOperation({
  id: 'listAllFeeds',
  method: 'GET',
  path: '/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of all brands',
  description: 'Lists every accepted feed, the last received first, with its status, progress and totals.',
  access: 'brands',
  query: FeedListQuery,
  responses: pageResponses,
  handle: async ({ database }, { query, brandIds }) => {
    const filter = feedFilterFromQuery(query, brandIds);
    return pageReply(query, (page) => listFeedProgress(database, filter, page), feedToSummary);
  },
});

const listBrandFeedsOperation = readOperation({
  id: 'listBrandFeeds',
  method: 'GET',
  path: '/brands/:id/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of a brand',
  description: 'Lists every accepted feed, the last received first, with its status, progress and totals.',
  access: 'brand',
  params: BrandParams,
  query: FeedListQuery,
  responses: pageResponses,
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const filter = feedFilterFromQuery(query, [brand.id]);
    return pageReply(query, (page) => listFeedProgress(database, filter, page), feedToSummary);
  },
});

/** Shows the progress of a feed [internal-105]. */
const getBrandFeedOperation = readOperation({
  id: 'getBrandFeed',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id',
  tag: 'Feeds and jobs',
  summary: 'Retrieve a stock feed',
  description: 'Returns the status, progress and totals of a feed, and who submitted it.',
  access: 'brand',
  params: BrandFeedParams,
  responses: { 200: { description: 'The feed.', schema: FeedSummaryWire, example: feedExample.summary } },
  handle: async ({ database }, { params }) => {
    const feed = await getFeedProgress(database, brandIdFromPath(params.id), params.feed_id);
    return { status: 200, body: feedToSummary(feed) };
  },
});

export const feedListOperations: readonly Operation[] = [
  listAllFeedsOperation, //   GET /feeds
  listBrandFeedsOperation, // GET /brands/:id/feeds
  getBrandFeedOperation, //   GET /brands/:id/feeds/:feed_id
];
