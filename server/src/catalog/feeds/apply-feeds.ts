import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceContext } from '../../api/operation.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { isConnectionFailure, sqlState } from '../../postgres/database-errors.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { lockStock, type StockLock } from '../stock/brand-stock-store.ts';
import { writeStockChanges } from '../stock/stock-changes-store.ts';
import {
  type ChunkLine,
  closeRefusedLines,
  readChunkLines,
  recordRefusedLines,
  recordStaleLines,
  writeResultLetters,
} from './chunk-lines-store.ts';
import { ChunkSize, YieldingWork } from './chunk-pace.ts';
import { isRefused, type LineResult, type ResultCounts, resultLetters, undecidedLetter } from './feed.ts';
import { type FeedJobData, feedQueue } from './feed-operations.ts';
import {
  advanceFeed,
  type ChunkFailure,
  type FeedInWork,
  type FinishedFeed,
  findNextFeed,
  hasUnfinishedFeeds,
  listBrandsWithIdleFeeds,
  recordFailedChunk,
  tryLockBrandFeeds,
} from './feed-work-store.ts';

export interface FeedObserver {
  feedFinished(feed: FinishedFeed, of: Pick<FeedInWork, 'tuId' | 'brandId' | 'requestId'>): void;
  /** A chunk was committed: its number of lines, and the seconds that its transaction took. */
  chunkApplied?(lines: number, seconds: number): void;
  /** A chunk was rolled back for a reason that a retry may not cure. */
  chunkFailed(feedTuId: string, error: unknown): void;
}

/** `busy`: another worker applies the feeds of the brand. `unfinished`: there is more to do. */
type BrandFeedProgress = 'finished' | 'busy' | 'unfinished';

interface FeedLimits {
  /** The time after which no other chunk begins, milliseconds. */
  readonly sliceMs: number;
  readonly size?: Pick<ChunkSize, 'lines' | 'note'>;
}

/**
 * Chunks occupy the database's cores: brands take turns. Two of a brand, since a second worker of it finds it busy and leaves.
 */
const chunkTurns = new Semaphore({ total: 3, perOwner: 2, maxWaiting: Number.POSITIVE_INFINITY });
const chunkWork = new YieldingWork();
const chunkSize = new ChunkSize();

/**
 * Applies the feeds of a brand in the order of receipt, a transaction for each chunk [D221], until none are left or `sliceMs`
 * have passed. Yields to the requests of this process. A crash loses only the chunk in progress [catalog-116]. Every feed
 * finishes [D41].
 * @throws when the database is unreachable or out of resources, which does not count against the feed
 */
export async function applyBrandFeeds(
  context: ServiceContext,
  observer: FeedObserver,
  brandId: number,
  { sliceMs, size = chunkSize }: FeedLimits,
): Promise<BrandFeedProgress> {
  const end = performance.now() + sliceMs;
  do {
    const outcome = await chunkTurns.run(brandId, () =>
      chunkWork.run(
        () => takeNextChunk(context, { observer, size }, brandId),
        (chunk) => (typeof chunk === 'object' ? chunk.lines : 0),
      ),
    );
    if (outcome === 'busy') return 'busy';
    // The pause is stored in the database, so it also applies to other workers and jobs of the brand.
    if (typeof outcome === 'number') await sleep(Math.max(0, Math.min(outcome, end - performance.now())));
    // Check once more after releasing the lock: a worker that came while it was held has left, relying on the holder to
    // see the feed that it came for.
    if (outcome === 'nothing' && !(await hasUnfinishedFeeds(context.database, brandId))) return 'finished';
  } while (performance.now() < end);
  return 'unfinished';
}

/** An object: the chunk was applied. A number: milliseconds until the next attempt. */
type ChunkOutcome = { readonly lines: number } | 'failed' | 'nothing' | 'busy' | number;

async function takeNextChunk(
  context: ServiceContext,
  { observer, size }: { readonly observer: FeedObserver } & Required<Pick<FeedLimits, 'size'>>,
  brandId: number,
): Promise<ChunkOutcome> {
  const database = context.database.forBrand(brandId);
  const taken: { feed: FeedInWork | null } = { feed: null };
  const startedAt = performance.now();
  try {
    const outcome = await database.transaction(async (tx) => {
      taken.feed = null;
      // In this order, and in one round trip.
      const [isOurs, feed] = await Promise.all([tryLockBrandFeeds(tx, brandId), findNextFeed(tx, brandId)]);
      if (!isOurs) return 'busy';
      if (feed === null) return 'nothing';
      if (feed.waitMs > 0) return feed.waitMs;
      taken.feed = feed;
      return writeChunk(tx, feed, size.lines);
    });
    if (typeof outcome !== 'object') return outcome;
    const { finished, lines, feed, lockedAt } = outcome;
    const endedAt = performance.now();
    size.note(lines, endedAt - lockedAt);
    observer.chunkApplied?.(lines, (endedAt - startedAt) / 1_000);
    if (finished !== null) observer.feedFinished(finished, feed);
    return { lines };
  } catch (error) {
    const { feed } = taken;
    const failure = failureOf(error);
    if (feed === null || failure === null) throw error;
    observer.chunkFailed(feed.tuId, error);
    const failed = await database.transaction((tx) => recordFailedChunk(tx, feed, failure));
    if (failed !== null) observer.feedFinished(failed, feed);
    return 'failed';
  }
}

interface WrittenChunk {
  readonly feed: FeedInWork;
  readonly lines: number;
  readonly finished: FinishedFeed | null;
  readonly lockedAt: number;
}

/**
 * Decides the next chunk and advances the feed. The lock and the reads take a round trip, the writes another one, with the
 * commit.
 */
async function writeChunk(tx: Transaction, feed: FeedInWork, size: number): Promise<WrittenChunk> {
  const nextLine = Math.min(feed.nextLine + size, feed.receivedLines);
  const locking = lockStock(tx, feed.brandId).then((lock) => ({ lock, lockedAt: performance.now() }));
  const [{ lock, lockedAt }, lines] = await Promise.all([locking, readChunkLines(tx, feed, nextLine)]);
  const count = nextLine - feed.nextLine;
  const { counts, letters, stale, refused, settled } = decideChunk(lock, feed, { lines, count });
  writeStockChanges([lock]);
  writeResultLetters(tx, feed, letters);
  recordStaleLines(lock, feed, stale);
  recordRefusedLines(lock, feed, refused);
  closeRefusedLines(lock, feed, settled);
  return { feed, lines: count, finished: await advanceFeed(tx, feed, counts, nextLine), lockedAt };
}

// Classes of SQLSTATE: insufficient resources (a full disk among them), operator intervention, system errors and a read-only
// database imply nothing about the chunk that was rolled back.
const unrelatedClasses = ['25', '53', '57', '58'];
// Transaction rollback, and object not in prerequisite state (a lock timeout among them).
const passingClasses = ['40', '55'];
const statementTimeout = '57014';

/** Returns why the chunk was rolled back; null if the reason is not the feed's. */
function failureOf(error: unknown): ChunkFailure | null {
  if (isConnectionFailure(error)) return null;
  const state = sqlState(error) ?? '';
  if (state === statementTimeout || passingClasses.includes(state.slice(0, 2))) return 'passing';
  return unrelatedClasses.includes(state.slice(0, 2)) ? null : 'refused';
}

const sliceMs = 1_000;

/** The job "this brand has feeds", queued with every feed. The first to run applies all; the others find none left. */
export const applyFeedsJob = {
  name: feedQueue,
  keyOf: ({ brand_id }: FeedJobData) => String(brand_id),
  run: async (context: ServiceContext & { readonly feeds: FeedObserver }, { brand_id }: FeedJobData) => {
    const progress = await applyBrandFeeds(context, context.feeds, brand_id, { sliceMs });
    return progress === 'unfinished' ? 'again' : 'done';
  },
  // A killed worker, or a job that has failed permanently, leaves feeds without a job.
  listForgotten: async ({ database }: ServiceContext, idleMs: number): Promise<FeedJobData[]> =>
    (await listBrandsWithIdleFeeds(database, idleMs)).map((brand_id) => ({ brand_id })),
} as const;

interface DecidedChunk {
  /** The results of the lines that had none before, counted. */
  readonly counts: ResultCounts;
  /** The letter of each line of the chunk, also of lines that are missing. */
  readonly letters: string;
  readonly stale: readonly ChunkLine[];
  /** Lines that somebody has to act on. */
  readonly refused: readonly ChunkLine[];
  /** Lines whose level is as new as they are. Left out while no refused line of the brand is open. */
  readonly settled: readonly ChunkLine[];
}

/** Decides the lines of a chunk of `count`, in their order, by the rule for adjustments [catalog-104]. Some may be missing. */
function decideChunk(
  lock: StockLock,
  feed: FeedInWork,
  { lines, count }: { readonly lines: readonly ChunkLine[]; readonly count: number },
): DecidedChunk {
  const letters = new Array<string>(count).fill(undecidedLetter);
  const counts: Partial<Record<LineResult, number>> = {};
  const stale: ChunkLine[] = [];
  const refused: ChunkLine[] = [];
  const settled: ChunkLine[] = [];
  const note = `feed:${feed.tuId}`;
  for (const line of lines) {
    letters[line.line - feed.nextLine] = line.letter;
    if (line.letter !== undecidedLetter) continue;
    const result = decideLine(lock, line, { id: feed.id, note });
    letters[line.line - feed.nextLine] = resultLetters[result];
    counts[result] = (counts[result] ?? 0) + 1;
    if (result === 'stale') stale.push(line);
    if (isRefused(result)) refused.push(line);
    else if (feed.hasOpenLines) settled.push(line);
  }
  return { counts, letters: letters.join(''), stale, refused, settled };
}

function decideLine(
  { changes }: StockLock,
  line: ChunkLine,
  { id, note }: { readonly id: number; readonly note: string },
): LineResult {
  const { productId, quantity, reserved, fedAt, movementId } = line;
  if (productId === null) return 'unknown_sku';
  if (line.hasVariants) return 'not_stockable';
  const { locationId } = line;
  if (locationId === null) return 'unknown_location';
  const from = { feedId: id, feedLine: line.line, keyId: null, requestId: null };
  const origin = { reason: 'feed', note, ...from } as const;
  const change = { quantity, reserved, expectedQuantity: null, fedAt, movementId, origin };
  const { outcome } = changes.decide({ ...line, productId, locationId }, change);
  // Only a change with an expected quantity conflicts.
  return outcome === 'conflict' ? 'stale' : outcome;
}
