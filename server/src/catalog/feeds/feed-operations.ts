import { readKeyHeader } from '../../access/idempotency/idempotency-key.ts';
import { type Operation, readOperation, type ServiceContext, streamOperation } from '../../api/operation.ts';
import type { StreamRequest } from '../../api/operation-request.ts';
import { pageMeta, pageOf } from '../../api/pagination.ts';
import { type ReplyOf, unchanged } from '../../api/reply.ts';
import type { UnknownNameReport } from '../../api/unknown-names.ts';
import { invalidField } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Feed, lineResults } from './feed.ts';
import { acceptInTurn, isShortFeed, parseFeed } from './feed-acceptance.ts';
import type { ParsedFeed } from './feed-body.ts';
import { feedExample } from './feed-example.ts';
import { getFeedReportUnless } from './feed-lines-store.ts';
import {
  type FeedInsert,
  findFeedByBatch,
  findFeedVersion,
  insertFeed,
  insertFeedPacks,
  readReceiptTime,
  recordSupersededLines,
} from './feed-store.ts';
import {
  FeedAcknowledgementWire,
  FeedHeaders,
  FeedParams,
  FeedReportQuery,
  FeedReportWire,
  feedToAcknowledgement,
  feedToReport,
  namesFromQuery,
  SubmitStockFeedBody,
} from './feed-wire.ts';

/** Feeds may be larger than other bodies, in bytes [platform-23]. */
const feedBodyLimit = 32 * 1024 * 1024;

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
const submitStockFeedOperation = streamOperation({
  id: 'submitStockFeed',
  ...submission,
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
const submitLegacyStockFeedOperation = streamOperation({
  id: 'submitLegacyStockFeed',
  ...submission,
  summary: 'Send a stock feed with a feed token',
  description: 'Works like the stock feed endpoint of the client API.',
  // Authentication has already run; a feed token has no scopes.
  access: [],
});

async function takeFeed(
  context: ServiceContext,
  { caller, requestId, headers, body, unknownNames, pathPrefix }: StreamRequest<unknown>,
): Promise<ReplyOf<typeof submission.responses>> {
  const batchId = readBatchId(headers['idempotency-key']);
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
function readBatchId(header: string | string[] | undefined): string {
  const batchId = readKeyHeader(header, 'source_batch_id');
  if (batchId === null) throw invalidField('source_batch_id', 'is required (the Idempotency-Key header)');
  return batchId;
}

interface Submission {
  readonly brandId: number;
  readonly batchId: string;
  /** The public id of the API key or feed token. */
  readonly submittedBy: string;
  readonly requestId: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly unknownNames: UnknownNameReport;
}

export interface SubmittedFeed {
  readonly feed: Feed;
  readonly isNew: boolean;
  /** The batch already existed, with other lines. */
  readonly isDifferent: boolean;
}

/**
 * Ingests a feed: its lines and the job that applies it are stored in one transaction, so a new feed is durable and will be
 * applied. Of concurrent submissions of one batch, in any processes, exactly one is new [catalog-96].
 * @throws ApiError `validation_failed`
 */
async function submitFeed(context: ServiceContext, submission: Submission): Promise<SubmittedFeed> {
  const { brandId, batchId, submittedBy, requestId, body, unknownNames } = submission;
  return acceptInTurn(brandId, isShortFeed(body), async () => {
    const { database, threads } = context;
    const [receivedAt, known] = await Promise.all([
      readReceiptTime(database),
      findFeedByBatch(database, brandId, batchId),
    ]);
    const rules = { receivedAt: receivedAt.getTime(), isKnown: known !== null };
    const read = await parseFeed({ threads, owner: brandId }, body, rules, unknownNames);
    if (known !== null) return repeated(known, read);
    const origin = { submittedBy, requestId };
    const insert = { ...read, ...origin, brandId, batchId, receivedAt, tuId: newTuId() };
    const submitted = await database.transaction((tx) => storeFeed(context, tx, insert));
    if (submitted.isNew) context.jobs.wake(feedQueue);
    return submitted;
  });
}

export const feedQueue = 'apply-stock-feeds';

export interface FeedJobData {
  readonly brand_id: number;
}

/**
 * Stores a feed, its lines and its job. Of concurrent transactions with one batch exactly one stores it; the others return the
 * stored feed. `jobId`: default: a random one.
 */
export async function storeFeed(
  { jobs }: Pick<ServiceContext, 'jobs'>,
  tx: Transaction,
  insert: FeedInsert & ParsedFeed & { readonly jobId?: string },
): Promise<SubmittedFeed> {
  const { brandId, batchId } = insert;
  const feed = await insertFeed(tx, insert);
  if (feed === null) return repeated((await findFeedByBatch(tx, brandId, batchId)) as Feed, insert);
  for (const part of insert.parts) await insertFeedPacks(tx, feed, part);
  if (insert.superseded > 0) recordSupersededLines(tx, feed);
  const data: FeedJobData = { brand_id: brandId };
  await jobs.send(tx, { queue: feedQueue, key: String(brandId), data, id: insert.jobId });
  return { feed, isNew: true, isDifferent: false };
}

function repeated(feed: Feed, sent: ParsedFeed): SubmittedFeed {
  return { feed, isNew: false, isDifferent: !feed.linesSha256.equals(sent.linesSha256) };
}

/** Page sizes of the lines of a report [catalog-113]. */
const pageSizes = { default: 100, max: 500 };

/** Accepts either of two scopes [catalog-112] [catalog-114]. */
const getStockFeedReportOperation = readOperation({
  id: 'getStockFeedReport',
  method: 'GET',
  path: '/stock/feeds/:tuId',
  tag: 'Stock feeds',
  summary: 'Get the report of a stock feed',
  description: `Returns the feed's progress, the number of lines by result, and one page of its lines in the order in which they were
sent, or only those with the results in \`result\`. While the feed is being applied, lines that are not decided yet have \`result\` null.`,
  access: ['catalog.stock:read', 'catalog.stock:ingest'],
  params: FeedParams,
  query: FeedReportQuery,
  responses: { 200: { description: 'The report.', schema: FeedReportWire, example: feedExample.report } },
  handle: async ({ database }, { caller, params, query, pathPrefix, known }) => {
    const page = pageOf(query, pageSizes);
    const asked = { page, results: namesFromQuery(query.result, lineResults), known };
    const report = await getFeedReportUnless(database, caller.brandId, params.tuId, asked);
    if (report === null) return unchanged;
    const { feed, lines, total, version } = report;
    return {
      status: 200,
      body: feedToReport(feed, lines, pageMeta(page, total), pathPrefix),
      version: { state: version },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findFeedVersion(database, caller.brandId, params.tuId),
});

export const feedOperations: readonly Operation[] = [submitStockFeedOperation, getStockFeedReportOperation];

/** The operations below `/v1/catalog`, by feed token [catalog-100]. */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyStockFeedOperation];
