import type { ServiceContext } from '../../api/operation.ts';
import { Gate } from '../../lib/gate.ts';
import { isConnectionFailure, sqlState } from '../../postgres/sqlstate.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { noteStockChange } from '../stock/brand-stock-version-store.ts';
import { refreshProductStock } from '../stock/product-stock-store.ts';
import { chunkLines } from './feed-chunk.ts';
import { keepChunkLocations, lockChunkProducts } from './feed-chunk-locks-store.ts';
import { applyChunk } from './feed-chunk-store.ts';
import {
  advanceFeed,
  type FeedInWork,
  type FinishedFeed,
  findNextFeed,
  noteFailedChunk,
  tryLockBrandFeeds,
} from './feed-work-store.ts';
import { givingWay } from './give-way.ts';
import { hasUnfinishedFeeds } from './queries/has-unfinished-feeds.ts';

/** Is told what becomes of feeds: the metrics and the log. */
export interface FeedObserver {
  feedFinished(feed: FinishedFeed): void;
  /** A chunk was rolled back by something that trying again may not cure. */
  chunkFailed(feedTuId: string, error: unknown): void;
}

/** `finished`: the brand has no feed left. `busy`: another worker is at it. `unfinished`: there is more to do. */
export type BrandFeedProgress = 'finished' | 'busy' | 'unfinished';

/** Chunks are work for the database's cores; the brands whose feeds are being applied take turns. */
const chunkTurns = new Gate(3);

/**
 * Applies the feeds of a brand in the order of receipt, chunk by chunk, each in a transaction of its own, until there
 * are none left or `sliceMs` are over; at least one. Gives way to the requests of this process. Any number of workers may call this at once: one works, and the others are told
 * so without waiting. A crash loses the chunk that was under way, and nothing else: lines and their results commit
 * together (decision Catalog 14).
 * @throws when the database cannot be worked with; nothing is lost then, and calling again goes on
 */
export async function applyBrandFeeds(
  context: ServiceContext,
  observer: FeedObserver,
  brandId: number,
  sliceMs: number,
): Promise<BrandFeedProgress> {
  const end = performance.now() + sliceMs;
  do {
    const outcome = await chunkTurns.run(() => givingWay(() => applyNextChunk(context, observer, brandId)));
    if (outcome === 'busy') return 'busy';
    // Looked at once more after the lock is given up: whoever came while it was held has gone again, trusting that
    // the holder sees the feed for which it came.
    if (outcome === 'nothing' && !(await hasUnfinishedFeeds(context.database, brandId))) return 'finished';
  } while (performance.now() < end);
  return 'unfinished';
}

/** `moved`: rolled back, to be tried again at once. */
type ChunkOutcome = 'applied' | 'moved' | 'failed' | 'nothing' | 'busy';

async function applyNextChunk(
  { database }: ServiceContext,
  observer: FeedObserver,
  brandId: number,
): Promise<ChunkOutcome> {
  const taken: { feed: FeedInWork | null } = { feed: null };
  try {
    const outcome = await database.transaction(async (tx) => {
      taken.feed = null;
      // In this order, and in one round trip.
      const [isOurs, feed] = await Promise.all([tryLockBrandFeeds(tx, brandId), findNextFeed(tx, brandId)]);
      if (!isOurs) return 'busy';
      taken.feed = feed;
      return feed === null ? 'nothing' : applyChunkOf(tx, feed);
    });
    if (typeof outcome === 'string') return outcome;
    if (outcome.finished !== null) observer.feedFinished(outcome.finished);
    return 'applied';
  } catch (error) {
    if (error instanceof ChunkMoved) return 'moved';
    const { feed } = taken;
    if (feed === null || isPassing(error)) throw error;
    observer.chunkFailed(feed.tuId, error);
    const failed = await database.transaction((tx) => noteFailedChunk(tx, feed));
    if (failed !== null) observer.feedFinished(failed);
    return 'failed';
  }
}

/** A SKU went to another product, or a location was made, between the look-ups that lock and the one that decides. */
class ChunkMoved extends Error {}

async function applyChunkOf(tx: Transaction, feed: FeedInWork): Promise<{ finished: FinishedFeed | null }> {
  const [locations, locked] = await Promise.all([keepChunkLocations(tx, feed), lockChunkProducts(tx, feed)]);
  const { counts, writtenProducts, unlockedProducts, locationIds, unsettledProductIds } = await applyChunk(
    tx,
    feed,
    locked,
  );
  if (unlockedProducts > 0 || locationIds.some((id) => !locations.has(id))) throw new ChunkMoved();
  if (unsettledProductIds.length > 0) await refreshProductStock(tx, feed.brandId, unsettledProductIds);
  const nextLine = Math.min(feed.nextLine + chunkLines, feed.receivedLines);
  const finished = await advanceFeed(tx, feed, counts, nextLine);
  if (writtenProducts > 0) noteStockChange(tx, feed.brandId);
  return { finished };
}

// Classes of SQLSTATE that say nothing against the chunk: transaction rollback, insufficient resources, object not in
// prerequisite state (a lock timeout among them), operator intervention, system error.
const passingClasses = ['40', '53', '55', '57', '58'];

function isPassing(error: unknown): boolean {
  return isConnectionFailure(error) || passingClasses.includes(sqlState(error)?.slice(0, 2) ?? '');
}
