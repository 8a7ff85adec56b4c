import type { ServiceContext } from '../../api/operation.ts';
import { applyBrandFeeds, type FeedObserver } from './apply-feeds.ts';
import { type FeedJobData, feedQueue } from './feed-service.ts';
import { listBrandsWithIdleFeeds } from './queries/unfinished-feeds.ts';

/** The time after which another brand gets its turn. */
const sliceMs = 1_000;

/**
 * The job "this brand has feeds". One is queued with every feed; the first to run applies all feeds of the brand, and
 * the others find none left, or a worker that is applying them.
 */
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
