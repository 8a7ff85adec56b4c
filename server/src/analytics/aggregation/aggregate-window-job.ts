import type { AnalyticsContext } from '../analytics-context.ts';
import type { DayRange } from '../day.ts';
import { aggregateInSlices } from './aggregate-in-slices.ts';

/** The queue of aggregations that are too long for a request [internal-41] [D75]. */
export const windowQueue = 'aggregate-window';

export interface WindowJobData {
  readonly brand_id: number;
  readonly from: string;
  readonly to: string;
  /** ISO 8601. */
  readonly requested_at: string;
}

/** Jobs with the same key aggregate the same window. */
export function windowKey(brandId: number, { from, to }: DayRange): string {
  return `${brandId}/${from}/${to}`;
}

/**
 * Aggregates one window of a brand in slices. The brand's aggregation lock admits one run at a time; a killed or
 * stopped run is continued later. The result has the same form as that of a short window aggregated within the request.
 */
export const aggregateWindowJob = {
  name: windowQueue,
  limitSeconds: 24 * 60 * 60,
  // Retries for hours while the store is unavailable; each restart of a worker also uses one.
  retryLimit: 360,
  // Finished jobs can be looked up for a week [internal-41].
  keepSeconds: 7 * 24 * 60 * 60,
  run: async (
    context: AnalyticsContext,
    { brand_id, from, to, requested_at }: WindowJobData,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> => {
    const options = { since: new Date(requested_at), signal };
    return { ...(await aggregateInSlices(context, brand_id, { from, to }, options)) };
  },
} as const;
