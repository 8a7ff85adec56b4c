import { readOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { BrandFeedParams } from '../feed-line-wire.ts';
import { FeedSummaryWire, feedToSummary } from '../feed-wire.ts';
import { getFeedProgress } from '../queries/feed-progress-list.ts';
import { feedExample } from './feed-example.ts';

/** Shows the progress of a feed [internal-105]. */
export const getBrandFeedOperation = readOperation({
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
