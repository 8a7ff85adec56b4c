import { ApiError } from '../errors/api-error.ts';
import type { AnalyticsContext } from './analytics-context.ts';
import { listBrandsWithWaitingRows } from './waiting-rows-store.ts';

export interface SettlingJobData {
  readonly brand_id: number;
}

/** The time after which another brand gets its turn. */
const sliceMs = 1_000;

/** Settles rows of a brand that wait; see `settleReturns`. */
type Settle = (
  context: AnalyticsContext,
  brandId: number,
  options: { readonly whenBusy: 'skip'; readonly limitMs: number },
) => Promise<'done' | 'busy' | 'unfinished'>;

/**
 * Returns the job that settles the waiting rows of a brand. While the store is unavailable or the brand is being aggregated,
 * the rows are kept, and `listForgotten` finds them again every few seconds.
 */
export function settlingJob<const Name extends string>(
  name: Name,
  table: Parameters<typeof listBrandsWithWaitingRows>[1],
  settle: Settle,
) {
  return {
    name,
    keyOf: ({ brand_id }: SettlingJobData) => String(brand_id),
    run: async (context: AnalyticsContext, { brand_id }: SettlingJobData): Promise<'done' | 'again'> => {
      try {
        const outcome = await settle(context, brand_id, { whenBusy: 'skip', limitMs: sliceMs });
        return outcome === 'unfinished' ? 'again' : 'done';
      } catch (error) {
        if (error instanceof ApiError && error.code === 'analytics_unavailable') return 'done';
        throw error;
      }
    },
    listForgotten: async ({ database }: AnalyticsContext, idleMs: number): Promise<SettlingJobData[]> =>
      (await listBrandsWithWaitingRows(database, table, idleMs)).map((brand_id) => ({ brand_id })),
  } as const;
}
