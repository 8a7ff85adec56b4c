import { keyOfHeader } from '../../../access/idempotency/idempotency-key.ts';
import { type ServiceContext, streamOperation } from '../../../api/operation.ts';
import type { StreamRequest } from '../../../api/operation-request.ts';
import type { ReplyOf } from '../../../api/reply.ts';
import { invalidField } from '../../../errors/api-error.ts';
import { feedExample } from '../feed-example.ts';
import { submitFeed } from '../feed-service.ts';
import {
  FeedAcknowledgementWire,
  FeedHeaders,
  feedBodyLimit,
  feedToAcknowledgement,
  SubmitStockFeedBody,
} from '../feed-wire.ts';

const replayHeaders = {
  'X-Feed-Body-Differs': {
    description:
      'Present if the batch was already submitted with different lines. The new lines were ignored.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
};

const submission = {
  method: 'POST',
  path: '/stock/feeds',
  tag: 'Stock feeds',
  contentTypes: ['application/json'],
  bodyLimit: feedBodyLimit,
  headers: FeedHeaders,
  body: SubmitStockFeedBody,
  bodyExample: feedExample.submission,
  responses: {
    200: {
      description: 'This batch was already submitted. Returns the existing feed and its current status.',
      schema: FeedAcknowledgementWire,
      example: feedExample.replay,
      headers: replayHeaders,
    },
    202: {
      description: 'The feed is stored and queued.',
      schema: FeedAcknowledgementWire,
      example: feedExample.acknowledgement,
    },
  },
  handle: takeFeed,
} as const;

/** Uses the Idempotency-Key as the batch id [catalog-95] [catalog-96]. */
export const submitStockFeedOperation = streamOperation({
  ...submission,
  id: 'submitStockFeed',
  summary: 'Send a stock feed',
  description: `Sets the stock of up to 100,000 SKUs at stock locations, in the background. Levels that no line names are left unchanged. Feeds
are applied in the order in which they were received, usually within seconds.

The \`Idempotency-Key\` is the batch id: if a batch was already submitted, the response is 200 with the existing feed, regardless
of the body. A line that cannot be parsed rejects the whole feed; a line that cannot be applied does not, and the report says why.

A line that is older than its level (by \`updated_at\`) is not applied, so feeds may arrive late and out of order. If several lines
have the same SKU and location, the newest one counts, and among equally new ones the last. Times are compared to the microsecond;
further digits are cut off. A line that is dated more than 24 hours ahead rejects the feed.

The body can be compressed with \`Content-Encoding: gzip\`. The limit of 32 MiB counts decoded bytes, and resubmitted batches are
compared by their decoded lines.`,
  access: ['catalog.stock:ingest'],
});

/** The legacy path: the same operation, by feed token [catalog-100]. Not part of the reference. */
export const submitLegacyStockFeedOperation = streamOperation({
  ...submission,
  id: 'submitLegacyStockFeed',
  summary: 'Send a stock feed with a feed token',
  description: 'Works like the stock feed endpoint of the client API.',
  // Authentication has already run; a feed token has no scopes.
  access: [],
});

async function takeFeed(
  context: ServiceContext,
  { caller, requestId, headers, body, unknownNames, pathPrefix }: StreamRequest<unknown>,
): Promise<ReplyOf<typeof submission.responses>> {
  const batchId = batchIdOf(headers['idempotency-key']);
  const submitted = await submitFeed(context, {
    brandId: caller.brandId,
    batchId,
    submittedBy: caller.keyId,
    requestId,
    body: await body.read(feedBodyLimit),
    unknownNames,
  });
  return {
    status: submitted.isNew ? 202 : 200,
    body: feedToAcknowledgement(submitted.feed, pathPrefix),
    logged: { feed_id: submitted.feed.tuId },
    ...(submitted.isDifferent && { headers: { 'x-feed-body-differs': 'true' } }),
  };
}

/** The header is the batch id, which is its name in errors [catalog-94]. */
function batchIdOf(header: string | string[] | undefined): string {
  const batchId = keyOfHeader(header, 'source_batch_id');
  if (batchId === null) throw invalidField('source_batch_id', 'is required (the Idempotency-Key header)');
  return batchId;
}
