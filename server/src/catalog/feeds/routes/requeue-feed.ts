import type { Static } from 'typebox';
import { longWriteOperation, type ServiceContext } from '../../../api/operation.ts';
import { brandIdFromPath } from '../../../brands/brand-wire.ts';
import type { AuditedTransaction } from '../../../postgres/transaction.ts';
import { feedExample } from '../feed-example.ts';
import { BrandFeedParams, CorrectFeedBody, RequeueFeedBody } from '../feed-line-wire.ts';
import type { SubmittedFeed } from '../feed-service.ts';
import { FeedSummaryWire, feedBodyLimit, feedToSummary } from '../feed-wire.ts';
import { getFeedProgress } from '../queries/feed-progress-list.ts';
import { correctFeed, requeueFeed } from '../requeue-service.ts';

const responses = {
  200: {
    description: 'A feed with these lines is already queued or being applied.',
    schema: FeedSummaryWire,
    example: feedExample.requeued,
  },
  202: { description: 'The new feed is queued.', schema: FeedSummaryWire, example: feedExample.requeued },
} as const;

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
  responses,
  errors: ['conflict'],
  handle: async (context, { params, body, commit }) => {
    const brandId = brandIdFromPath(params.id);
    const requeue = { brandId, feedId: params.feed_id, states: body.results };
    return requeueFeed(ofBrand(context, brandId), requeue, (store) =>
      commit(brandId, (tx) => replyOf(tx, store)),
    );
  },
});

/** Sends corrected lines [internal-206]. */
export const correctFeedOperation = longWriteOperation({
  id: 'correctFeed',
  method: 'POST',
  path: '/brands/:id/feeds/:feed_id/corrections',
  tag: 'Feeds and jobs',
  summary: 'Send corrected lines of a stock feed',
  description: `Creates a feed with these lines, which are those of a stock feed of the client API, and links it with the original like a
re-queue. The original must be finished; it and its report do not change. A line without \`updated_at\` has the time of this receipt.

\`corrects\` names the failed lines of the original that are dealt with by this, also where the SKU or the location was wrong.
While a feed with the same lines, created by this operation, is unfinished, it is returned with 200.`,
  access: 'brand',
  params: BrandFeedParams,
  body: CorrectFeedBody,
  bodyLimit: feedBodyLimit,
  idempotency: 'optional',
  bodyExample: {
    lines: [{ sku: 'TEE-001-red-s', location_code: 'WH-BERLIN', quantity: 3 }],
    corrects: [1],
  },
  responses,
  errors: ['conflict'],
  handle: async (context, { params, body, commit }) => {
    const brandId = brandIdFromPath(params.id);
    const { lines, corrects = [] } = body;
    const correction = { brandId, feedId: params.feed_id, lines, corrects };
    return correctFeed(ofBrand(context, brandId), correction, (store) =>
      commit(brandId, (tx) => replyOf(tx, store)),
    );
  },
});

function ofBrand(context: ServiceContext, brandId: number): ServiceContext {
  return { ...context, database: context.database.forBrand(brandId) };
}

async function replyOf(
  tx: AuditedTransaction,
  store: (tx: AuditedTransaction) => Promise<SubmittedFeed>,
): Promise<{ status: 200 | 202; body: Static<typeof FeedSummaryWire> }> {
  const { feed, isNew } = await store(tx);
  const summary = feedToSummary(await getFeedProgress(tx, feed.brandId, feed.tuId));
  return { status: isNew ? 202 : 200, body: summary };
}
