import { longWriteOperation } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import { feedExample } from '../feed-example.ts';
import { BrandFeedParams, RequeueFeedBody } from '../feed-line-wire.ts';
import { FeedSummaryWire, feedToSummary } from '../feed-wire.ts';
import { getFeedProgress } from '../queries/feed-progress-list.ts';
import { requeueFeed } from '../requeue-service.ts';

/** Sends lines again [internal-102]. Its transaction begins after the lines were read. */
export const requeueFeedOperation = longWriteOperation({
  id: 'requeueFeed',
  method: 'POST',
  path: '/brands/:id/feeds/:feed_id/requeue',
  tag: 'Feeds and jobs',
  summary: 'Send lines of a stock feed again',
  description: `Creates a feed with the lines that have these results, such as those whose SKU was unknown and now exists. The feed must be
finished. Each line keeps its \`updated_at\`, or the time of the first receipt if it had none: a level that was written since is not
overwritten. The original feed and its report do not change.

While a feed with the same lines, created by this operation, is unfinished, it is returned with 200 instead of a second one: retries
and concurrent requests are safe. If the feed has no lines with these results, or its lines were dropped, the response is 422 on \`results\`.`,
  access: 'brand',
  params: BrandFeedParams,
  body: RequeueFeedBody,
  idempotency: 'optional',
  bodyExample: { results: ['unknown_sku', 'unknown_location'] },
  responses: {
    200: {
      description: 'A feed with these lines is already queued or being applied.',
      schema: FeedSummaryWire,
      example: feedExample.requeued,
    },
    202: { description: 'The new feed is queued.', schema: FeedSummaryWire, example: feedExample.requeued },
  },
  errors: ['conflict'],
  handle: async (context, { params, body, commit }) => {
    const brandId = brandIdFromPath(params.id);
    const requeue = { brandId, feedId: params.feed_id, states: body.results };
    const own = { ...context, database: context.database.forBrand(brandId) };
    return requeueFeed(own, requeue, (store) =>
      commit(brandId, async (tx) => {
        const { feed, isNew } = await store(tx);
        const summary = feedToSummary(await getFeedProgress(tx, brandId, feed.tuId));
        return { status: isNew ? 202 : 200, body: summary };
      }),
    );
  },
});
