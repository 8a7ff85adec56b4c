import type { AuditedTransaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { addDays, countDays, type DayRange } from '../day.ts';
import type { AggregationResult } from '../store/days-store.ts';
import { type AggregationContext, aggregateRange } from './aggregation-service.ts';

/** The queue of aggregations that are too long for a request [internal-41] [D75]. */
export const windowQueue = 'aggregate-window';

export interface WindowJobData {
  readonly brand_id: number;
  readonly from: string;
  readonly to: string;
  /** ISO 8601. */
  readonly requested_at: string;
}

/** Aggregates one window of a brand in slices; a killed or stopped run is continued later. */
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

/**
 * Queues a window, in the caller's transaction, and returns the job's id. A waiting window is not queued twice; a running job
 * may have passed days that have changed since, so another one is queued behind it.
 */
export function queueWindow(
  tx: AuditedTransaction,
  { clock, jobs }: Pick<AnalyticsContext, 'clock' | 'jobs'>,
  brandId: number,
  { from, to }: DayRange,
): Promise<string> {
  const data: WindowJobData = {
    brand_id: brandId,
    from,
    to,
    requested_at: new Date(clock.now()).toISOString(),
  };
  return jobs.sendOnce(tx, { queue: windowQueue, key: `${brandId}/${from}/${to}`, data });
}

/** Target duration of a slice. A stop waits for one slice, and a crash loses one. */
const sliceMs = 1_500;
const firstSliceDays = 8;
/** Largest number of days in a slice. Days without events cost almost nothing, so a year of them is one slice. */
const maxSliceDays = 366;

interface SlicedAggregation {
  /** Days that were aggregated since the request are skipped, so a repetition continues with the rest. */
  readonly since: Date;
  readonly signal: AbortSignal;
}

/**
 * (Re)aggregates a window of any length, in order, a transaction per slice. Can be interrupted at any moment and run again with
 * the same `since`. Returns the totals of the whole window, including days that another run aggregated.
 * @throws the reason of `signal` between two slices; ApiError `analytics_unavailable`
 */
export async function aggregateInSlices(
  context: AggregationContext,
  brandId: number,
  { from, to }: DayRange,
  { since, signal }: SlicedAggregation,
): Promise<AggregationResult> {
  const { analytics } = context;
  let size = firstSliceDays;
  for (let first = from; first <= to; ) {
    signal.throwIfAborted();
    const { nextDay } = await analytics.readProgress(brandId, { from: first, to }, since);
    if (nextDay === null) break;
    const last = addDays(nextDay, size - 1);
    const slice = { from: nextDay, to: last < to ? last : to };
    const start = performance.now();
    await aggregateRange(context, brandId, slice);
    const tookMs = performance.now() - start;
    if (tookMs < sliceMs / 2) size = Math.min(maxSliceDays, size * 2);
    else if (tookMs > sliceMs * 2) size = Math.max(1, Math.floor(countDays(slice) / 2));
    first = addDays(slice.to, 1);
  }
  const { days, rows } = await analytics.readProgress(brandId, { from, to }, since);
  return { days, rows };
}
