import { ApiError } from '../../errors/api-error.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { listBrandsWithReturns } from './return-store.ts';
import { settleReturns } from './settle-returns.ts';

/** The queue of brands with learners who opted back in. */
export const returnsQueue = 'mark-days-of-returned-learners';

export interface ReturnsJobData {
  readonly brand_id: number;
}

/** The time after which another brand gets its turn. */
const sliceMs = 1_000;

/**
 * Sends the marks of an opt-in to the analytics store right after it. While the store is unavailable or the brand is
 * being aggregated, the returns are kept, and `listForgotten` finds them again every few seconds.
 */
export const settleReturnsJob = {
  name: returnsQueue,
  keyOf: ({ brand_id }: ReturnsJobData) => String(brand_id),
  run: async (context: AnalyticsContext, { brand_id }: ReturnsJobData): Promise<'done' | 'again'> => {
    try {
      const outcome = await settleReturns(context, brand_id, { whenBusy: 'skip', limitMs: sliceMs });
      return outcome === 'unfinished' ? 'again' : 'done';
    } catch (error) {
      if (error instanceof ApiError && error.code === 'analytics_unavailable') return 'done';
      throw error;
    }
  },
  listForgotten: async ({ database }: AnalyticsContext, idleMs: number): Promise<ReturnsJobData[]> =>
    (await listBrandsWithReturns(database, idleMs)).map((brand_id) => ({ brand_id })),
} as const;
