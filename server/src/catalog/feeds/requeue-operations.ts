import { type Static, Type } from 'typebox';
import { NamedObject } from '../../api/field-schemas.ts';
import { longWriteOperation, type Operation, type ServiceContext } from '../../api/operation.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { brandIdFromPath } from '../../brands/brand-wire.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import { shownSourceTime, sourceTimeOf } from '../../lib/source-time.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { type Feed, type FeedLineDetail, type LineChoice, type LineState, lineStates } from './feed.ts';
import { acceptInTurn, isShortFeed, parseFeed, shortLines } from './feed-acceptance.ts';
import { maxLines, type ParsedFeed } from './feed-body.ts';
import { feedExample } from './feed-example.ts';
import { maxAheadMs } from './feed-line.ts';
import { readFeedLines } from './feed-lines-store.ts';
import { feedQueue, type SubmittedFeed, storeFeed } from './feed-operations.ts';
import { getFeedProgress } from './feed-progress-store.ts';
import { getFeed, readReceiptTime } from './feed-store.ts';
import { BrandFeedParams, FeedSummaryWire, feedToSummary, SubmitStockFeedBody } from './feed-wire.ts';
import {
  closeCorrectedLines,
  findFreeRequeueId,
  findUnfinishedRequeue,
  lockRequeuedFeed,
} from './requeue-store.ts';

const RequeueFeedBody = NamedObject('FeedRequeue', {
  results: Type.Array(Type.Unsafe<LineState>({ type: 'string', enum: [...lineStates] }), {
    minItems: 1,
    maxItems: lineStates.length,
    description:
      'The results of the lines to send again. `undecided`: the lines without a result of a failed feed.',
  }),
  left: Type.Optional(
    Type.Boolean({
      description:
        'true: only failed lines that are left, so that a line which was corrected or sent again is not sent as it was. Undecided lines always are left.',
    }),
  ),
});

const CorrectFeedBody = NamedObject('FeedCorrection', {
  lines: SubmitStockFeedBody.properties.lines,
  corrects: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: maxLines }), {
      maxItems: maxLines,
      description:
        'The numbers, from 0, of the lines of the feed that these lines replace: they no longer count as failed.',
    }),
  ),
});

const responses = {
  200: {
    description: 'A feed with these lines is already queued or being applied.',
    schema: FeedSummaryWire,
    example: feedExample.requeued,
  },
  202: { description: 'The new feed is queued.', schema: FeedSummaryWire, example: feedExample.requeued },
} as const;

/** Sends lines again [internal-102]. Its transaction begins after the lines were read. */
const requeueFeedOperation = longWriteOperation({
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
  access: 'one-brand',
  params: BrandFeedParams,
  body: RequeueFeedBody,
  idempotency: 'optional',
  bodyExample: { results: ['unknown_sku', 'unknown_location'] },
  responses,
  errors: ['conflict'],
  handle: async (context, { params, body, commit }) => {
    const brandId = brandIdFromPath(params.id);
    const requeue = { brandId, feedId: params.feed_id, states: body.results, isLeft: body.left === true };
    return requeueFeed(ofBrand(context, brandId), requeue, (store) =>
      commit(brandId, (tx) => storeAndReply(tx, store)),
    );
  },
});

/** Sends corrected lines [internal-206]. */
const correctFeedOperation = longWriteOperation({
  id: 'correctFeed',
  method: 'POST',
  path: '/brands/:id/feeds/:feed_id/corrections',
  tag: 'Feeds and jobs',
  summary: 'Send corrected lines of a stock feed',
  description: `Creates a feed with these lines, which are those of a stock feed of the client API, and links it with the original like a
re-queue. The original must be finished; it and its report do not change. A line without \`updated_at\` has the time of this receipt.
A request has the general limit of 1 MiB, some 8,000 lines: send more of them as a feed of the client API.

\`corrects\` names the failed lines of the original that are dealt with by this, also where the SKU or the location was wrong.
While a feed with the same lines, created by this operation, is unfinished, it is returned with 200.`,
  access: 'one-brand',
  params: BrandFeedParams,
  body: CorrectFeedBody,
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
      commit(brandId, (tx) => storeAndReply(tx, store)),
    );
  },
});

function ofBrand(context: ServiceContext, brandId: number): ServiceContext {
  return { ...context, database: context.database.forBrand(brandId) };
}

async function storeAndReply(
  tx: AuditedTransaction,
  store: (tx: AuditedTransaction) => Promise<SubmittedFeed>,
): Promise<{ status: 200 | 202; body: Static<typeof FeedSummaryWire> }> {
  const { feed, isNew } = await store(tx);
  const summary = feedToSummary(await getFeedProgress(tx, feed.brandId, feed.tuId));
  return { status: isNew ? 202 : 200, body: summary };
}

interface Requeue {
  readonly brandId: number;
  readonly feedId: string;
  /** At least one. */
  readonly states: readonly LineState[];
  readonly isLeft: boolean;
}

/** Corrected lines of a feed, as the API takes them, and the positions of the lines that they replace, from 0. */
interface Correction {
  readonly brandId: number;
  readonly feedId: string;
  readonly lines: readonly object[];
  readonly corrects: readonly number[];
}

type Commit<T> = (store: (tx: AuditedTransaction) => Promise<SubmittedFeed>) => Promise<T>;

/**
 * Sends lines of a finished feed again, as a new feed. Each keeps its `updated_at`, so that a level that has moved on since
 * wins [D155]. An unfinished feed with the same lines is returned instead.
 * @throws ApiError `not_found`; `conflict` if the feed is not finished; `validation_failed` on `results` without such lines
 * @param commit runs `store` in a transaction
 */
async function requeueFeed<T>(
  context: ServiceContext,
  { brandId, feedId, states, isLeft }: Requeue,
  commit: Commit<T>,
): Promise<T> {
  const feed = await getFinishedFeed(context, brandId, feedId);
  return acceptInTurn(brandId, feed.receivedLines <= shortLines, async () => {
    const read = await readAsFeed(context, feed, { states, isLeft });
    return storeInTurn(context, commit, async (tx) => {
      if (!(await lockRequeuedFeed(tx, feed))) throw nothingToRequeue();
      const stored = await storeRequeue(context, tx, feed, read);
      if (stored.isNew)
        await recordRequeue(tx, feed, stored.feed, {
          action: 'stock_feed.requeue',
          results: states,
          ...(isLeft && { left: true }),
        });
      return stored;
    });
  });
}

/**
 * Sends lines that somebody has corrected, as a new feed that is linked with the original like a re-queue [internal-206]. The
 * lines that they replace are open no longer. An unfinished feed with the same lines is returned instead.
 * @throws ApiError `not_found`; `conflict` if the feed is not finished; `validation_failed` on `lines.{i}` and `corrects`
 * @param commit runs `store` in a transaction
 */
async function correctFeed<T>(
  context: ServiceContext,
  { brandId, feedId, lines, corrects }: Correction,
  commit: Commit<T>,
): Promise<T> {
  const feed = await getFinishedFeed(context, brandId, feedId);
  if (corrects.some((line) => line >= feed.receivedLines))
    throw invalidField('corrects', 'must be numbers of lines of the feed, from 0');
  const body = new TextEncoder().encode(JSON.stringify({ source: feed.source, mode: 'snapshot', lines }));
  return acceptInTurn(brandId, isShortFeed(body), async () => {
    const receivedAt = (await readReceiptTime(context.database)).getTime();
    const read = await parseFeed({ threads: context.threads, owner: brandId }, body, { receivedAt });
    return storeInTurn(context, commit, async (tx) => {
      await lockRequeuedFeed(tx, feed);
      const stored = await storeRequeue(context, tx, feed, read);
      // The same lines may have been sent as the correction of others.
      const closed = await closeCorrectedLines(tx, feed, corrects);
      if (!stored.isNew && closed === 0) return stored;
      await recordRequeue(tx, feed, stored.feed, {
        action: 'stock_feed.correct',
        corrected: corrects.length,
      });
      return stored;
    });
  });
}

async function getFinishedFeed({ database }: ServiceContext, brandId: number, feedId: string): Promise<Feed> {
  const { feed } = await getFeed(database, brandId, feedId);
  if (feed.finishedAt !== null) return feed;
  throw new ApiError('conflict', {
    message: 'The feed is not finished. Its other lines may still change.',
  });
}

async function storeInTurn<T>(
  { jobs }: ServiceContext,
  commit: Commit<T>,
  store: (tx: AuditedTransaction) => Promise<SubmittedFeed>,
): Promise<T> {
  const committed = await commit(store);
  jobs.wake(feedQueue);
  return committed;
}

/** Builds the body that would send the lines, and parses it: they are stored as if they had been sent. */
async function readAsFeed(
  { database, threads }: ServiceContext,
  feed: Feed,
  choice: LineChoice,
): Promise<ParsedFeed> {
  if (feed.linesDroppedAt !== null) throw nothingToRequeue();
  const { source, receivedAt } = feed;
  const parts: string[] = [];
  const now = await readReceiptTime(database);
  const latest = sourceTimeOf(new Date(now.getTime() + maxAheadMs));
  for await (const lines of readFeedLines(database, feed, choice)) {
    const ahead = lines.find(({ updatedAt }) => updatedAt > latest);
    if (ahead !== undefined) throw datedAhead(ahead);
    parts.push(lines.map(bodyOfLine).join(','));
  }
  if (parts.length === 0) throw nothingToRequeue();
  const body = `{"source":${JSON.stringify(source)},"mode":"snapshot","lines":[${parts.join(',')}]}`;
  return parseFeed({ threads, owner: feed.brandId }, new TextEncoder().encode(body), {
    receivedAt: receivedAt.getTime(),
    isKnown: true,
  });
}

function bodyOfLine({ sku, locationCode, quantity, reserved, updatedAt }: FeedLineDetail): string {
  return JSON.stringify({
    sku,
    location_code: locationCode,
    quantity,
    updated_at: shownSourceTime(updatedAt),
    ...(reserved !== null && { reserved }),
  });
}

async function storeRequeue(
  context: ServiceContext,
  tx: AuditedTransaction,
  original: Feed,
  read: ParsedFeed,
): Promise<SubmittedFeed> {
  const unfinished = await findUnfinishedRequeue(tx, original, read.linesSha256);
  if (unfinished !== null) return { feed: unfinished, isNew: false, isDifferent: false };
  const batchId = await findFreeRequeueId(tx, original);
  const { actor: submittedBy, requestId } = tx.initiator;
  const receivedAt = await readReceiptTime(tx);
  const stored = await storeFeed(context, tx, {
    ...read,
    brandId: original.brandId,
    batchId,
    receivedAt,
    submittedBy,
    requestId,
    tuId: newTuId(),
  });
  // A client has sent a feed under this batch id at the same moment. Nobody does so by accident.
  if (!stored.isNew) throw new ApiError('conflict', { message: 'A client took the batch id. Try again.' });
  return stored;
}

interface RequeueEntry {
  readonly action: 'stock_feed.requeue' | 'stock_feed.correct';
  readonly results?: readonly LineState[];
  readonly left?: true;
  readonly corrected?: number;
}

function recordRequeue(
  tx: AuditedTransaction,
  original: Feed,
  { brandId, tuId, batchId, receivedLines }: Feed,
  { action, ...details }: RequeueEntry,
): Promise<void> {
  return recordAudit(tx, {
    action,
    brandId,
    resourceType: 'stock_feed',
    resourceId: original.tuId,
    details: { ...details, feed_id: tuId, source_batch_id: batchId, lines: receivedLines },
  });
}

/** Returns the error for a line from before lines had a latest time, which would close its level [catalog-123]. */
function datedAhead({ line, updatedAt }: FeedLineDetail): ApiError {
  return invalidField(
    'results',
    `must not name results of lines dated more than 24 hours ahead, as line ${line} is: ${shownSourceTime(updatedAt)}. Download the lines, and send them with other times`,
  );
}

function nothingToRequeue(): ApiError {
  return invalidField('results', 'must name results of lines that the feed has, or `undecided` if it failed');
}

export const requeueOperations: readonly Operation[] = [
  requeueFeedOperation, // POST /brands/:id/feeds/:feed_id/requeue
  correctFeedOperation, // POST /brands/:id/feeds/:feed_id/corrections
];
