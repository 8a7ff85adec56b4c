import { listBrandIds } from '../../brands/brand-store.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { addDays, countDays, type Day, type DayRange, monthsOf, toRanges, yesterdayOf } from '../day.ts';
import { settleOptIns } from '../directory-changes/settle-changes.ts';
import { readDirectoryAtAggregation } from '../directory-reads-store.ts';
import { ofDatasets, type RowCounts } from '../store/datasets.ts';
import type { AggregationOptions, AggregationResult } from '../store/days-store.ts';

export type AggregationContext = Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>;

const nothing: AggregationResult = {
  days: 0,
  rows: ofDatasets(() => 0),
};

/**
 * (Re)aggregates days up to yesterday in one transaction of the store. Returns null if `whenBusy` is `skip` and another
 * aggregation of the brand is running.
 * @throws ApiError `analytics_unavailable`; AggregationTooLong after `limitMs`, with nothing changed
 */
export async function aggregateRange(
  { database, clock, analytics }: AggregationContext,
  brandId: number,
  range: DayRange,
  options: Partial<Omit<AggregationOptions, 'at'>> = {},
): Promise<AggregationResult | null> {
  const at = new Date(clock.now());
  return analytics.aggregate(brandId, range, () => readDirectoryAtAggregation(database, brandId), {
    at,
    whenBusy: 'wait',
    ...options,
  });
}

interface DueDaysOptions {
  /** Default: `wait`. */
  readonly whenBusy?: 'wait' | 'skip';
  readonly signal?: AbortSignal;
}

/**
 * Aggregates the days of a nightly run: yesterday, days with late events, days without learners who opted back in, missed days
 * [internal-43] [D24]. Consecutive days of a month share a transaction; the next run continues after an interruption.
 * @throws the reason of `signal` between two transactions
 */
export async function aggregateDueDays(
  context: AggregationContext,
  brandId: number,
  { whenBusy = 'wait', signal }: DueDaysOptions = {},
): Promise<AggregationResult | null> {
  // Send marks that have not reached the store yet, so that this run restores the rows.
  if ((await settleOptIns(context, brandId, { whenBusy })) === 'busy') return null;
  const due: readonly Day[] = await context.analytics.listDueDays(brandId, yesterdayOf(context.clock.now()));
  let sum = nothing;
  for (const range of toRanges(due).flatMap(monthsOf)) {
    signal?.throwIfAborted();
    const result = await aggregateRange(context, brandId, range, { whenBusy, reason: 'due' });
    if (result === null) return null;
    sum = addResults(sum, result);
  }
  return sum;
}

function addResults(a: AggregationResult, b: AggregationResult): AggregationResult {
  const rows = ofDatasets((name) => a.rows[name] + b.rows[name]);
  return { days: a.days + b.days, rows: rows as RowCounts };
}

interface NightlyRun {
  readonly brands: number;
  readonly days: number;
  /** Rows written, over all datasets. */
  readonly rows: number;
}

/** If the store is unavailable for this many brands in a row, it is unavailable for all. */
const awayLimit = 3;

/** Some brands could not be aggregated. `errors` has the reason for each. */
export class BrandsNotAggregated extends AggregateError {}

/**
 * The nightly run: aggregates all open brands, one after the other. One that another process is aggregating is moved to the
 * end, where the run waits for it. A failing brand does not block others, unless the store is unavailable [D75]; a second run
 * aggregates the rest.
 * @throws BrandsNotAggregated after the other brands, or if the store is unavailable; the reason of `signal`
 */
export async function aggregateAllBrands(
  context: AggregationContext,
  signal?: AbortSignal,
): Promise<NightlyRun> {
  const brandIds = await listBrandIds(context.database);
  const results: AggregationResult[] = [];
  const failures: Error[] = [];
  let awayInARow = 0;
  /** Returns whether the brand is finished, successfully or not. */
  const aggregate = async (brandId: number, whenBusy: 'wait' | 'skip'): Promise<boolean> => {
    if (awayInARow >= awayLimit) return true;
    signal?.throwIfAborted();
    try {
      const result = await aggregateDueDays(context, brandId, { whenBusy, ...(signal && { signal }) });
      awayInARow = 0;
      if (result !== null) results.push(result);
      return result !== null;
    } catch (error) {
      signal?.throwIfAborted();
      const isAway = error instanceof ApiError && error.code === 'analytics_unavailable';
      awayInARow = isAway ? awayInARow + 1 : 0;
      failures.push(new Error(`brand ${brandId}: ${(error as Error).message}`, { cause: error }));
      return true;
    }
  };
  const busy: number[] = [];
  for (const brandId of brandIds) if (!(await aggregate(brandId, 'skip'))) busy.push(brandId);
  for (const brandId of busy) await aggregate(brandId, 'wait');

  if (failures.length > 0)
    throw new BrandsNotAggregated(
      failures,
      `${failures.length} of ${brandIds.length} brands failed, others may not have been aggregated: ${failures[0]?.message}`,
    );
  const { days, rows } = results.reduce(addResults, nothing);
  return { brands: brandIds.length, days, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
}

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
  return jobs.sendOnce(tx, { queue: windowQueue, key: `${brandId}/${from}/${to}`, data, brandId });
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
  /** Default: `request`. */
  readonly reason?: NonNullable<AggregationOptions['reason']>;
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
  { since, signal, reason = 'request' }: SlicedAggregation,
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
    await aggregateRange(context, brandId, slice, { reason });
    const tookMs = performance.now() - start;
    if (tookMs < sliceMs / 2) size = Math.min(maxSliceDays, size * 2);
    else if (tookMs > sliceMs * 2) size = Math.max(1, Math.floor(countDays(slice) / 2));
    first = addDays(slice.to, 1);
  }
  const { days, rows } = await analytics.readProgress(brandId, { from, to }, since);
  return { days, rows };
}
