import type { ServiceContext } from '../../api/operation.ts';
import type { UnknownNameReport } from '../../api/unknown-names.ts';
import { newTuId } from '../../lib/ids.ts';
import { Gate } from '../../lib/semaphore.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Feed } from './feed.ts';
import type { ParsedFeed } from './feed-body.ts';
import {
  type FeedInsert,
  findFeedByBatch,
  insertFeed,
  insertFeedPacks,
  noteSupersededLines,
  readReceiptTime,
} from './feed-store.ts';
import { parseFeed } from './parse-feed.ts';

export const feedQueue = 'apply-stock-feeds';

export interface FeedJobData {
  readonly brand_id: number;
}

export interface Submission {
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

/** A large feed keeps a core and a connection busy for a second; more at once would occupy all of them. */
const acceptance = new Gate(2);

export function ingestInTurn<T>(work: () => Promise<T>): Promise<T> {
  return acceptance.run(work);
}

/**
 * Ingests a feed: its lines and the job that applies it are stored in one transaction, so a new feed is durable and will be
 * applied. Of concurrent submissions of one batch, in any processes, exactly one is new [catalog-96].
 * @throws ApiError `validation_failed`
 */
export async function submitFeed(context: ServiceContext, submission: Submission): Promise<SubmittedFeed> {
  return ingestInTurn(async () => {
    const { database, threads } = context;
    const { brandId, batchId, submittedBy, requestId, body, unknownNames } = submission;
    const [receivedAt, known] = await Promise.all([
      readReceiptTime(database),
      findFeedByBatch(database, brandId, batchId),
    ]);
    const rules = { receivedAt: receivedAt.getTime(), isKnown: known !== null };
    const read = await parseFeed(threads, body, rules, unknownNames);
    if (known !== null) return repeated(known, read);
    const origin = { submittedBy, requestId };
    const insert = { ...read, ...origin, brandId, batchId, receivedAt, tuId: newTuId() };
    const submitted = await database.transaction((tx) => storeFeed(context, tx, insert));
    if (submitted.isNew) context.jobs.wake(feedQueue);
    return submitted;
  });
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
  if (insert.superseded > 0) noteSupersededLines(tx, feed);
  const data: FeedJobData = { brand_id: brandId };
  await jobs.send(tx, { queue: feedQueue, key: String(brandId), data, id: insert.jobId });
  return { feed, isNew: true, isDifferent: false };
}

function repeated(feed: Feed, sent: ParsedFeed): SubmittedFeed {
  return { feed, isNew: false, isDifferent: !feed.linesSha256.equals(sent.linesSha256) };
}
