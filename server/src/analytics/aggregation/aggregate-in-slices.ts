import { addDays, countDays, type DayRange } from '../day.ts';
import type { AggregationResult } from '../store/aggregation-types.ts';
import { type AggregationContext, aggregateRange } from './aggregation-service.ts';

/** Target duration of a slice. A stop waits for one slice, and a crash loses one. */
const sliceMs = 1_500;
const firstSliceDays = 8;
/** Largest number of days in a slice. Days without events cost almost nothing, so a year of them is one slice. */
const maxSliceDays = 366;

export interface SlicedAggregation {
  /**
   * The time of the request. Days that were aggregated since then are skipped, so a repetition after a crash continues
   * with the rest.
   */
  readonly since: Date;
  readonly signal: AbortSignal;
}

/**
 * (Re)aggregates a window of any length, in order, with one transaction per slice: readers see each slice as
 * a whole. Can be interrupted at any moment and run again with the same `since`; it then continues with the
 * remaining days. Returns the totals of the whole window, including days that another run aggregated.
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
