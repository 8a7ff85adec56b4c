import type { AnalyticsContext } from '../analytics-context.ts';
import { type Day, type DayRange, toRanges, yesterdayOf } from '../day.ts';
import { readAggregationFacts } from '../queries/read-aggregation-facts.ts';
import { settleReturns } from '../returns/settle-returns.ts';
import { datasetNames, type RowCounts } from '../store/datasets.ts';
import type { AggregationOptions, AggregationResult } from '../store/days-store.ts';

export type AggregationContext = Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>;

export const nothing: AggregationResult = {
  days: 0,
  rows: { daily: 0, contents: 0, users: 0, content_engagement: 0 },
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
  return analytics.aggregate(brandId, range, () => readAggregationFacts(database, brandId), {
    at,
    whenBusy: 'wait',
    ...options,
  });
}

/**
 * Aggregates the days of a nightly run: yesterday, days with late events, days without learners who opted back in, missed days
 * [internal-43] [D24]. Consecutive days share a transaction; the next run continues after an interruption.
 */
export async function aggregateDueDays(
  context: AggregationContext,
  brandId: number,
  whenBusy: 'wait' | 'skip' = 'wait',
): Promise<AggregationResult | null> {
  // Send marks that have not reached the store yet, so that this run restores the rows.
  if ((await settleReturns(context, brandId, { whenBusy })) === 'busy') return null;
  const due: readonly Day[] = await context.analytics.listDueDays(brandId, yesterdayOf(context.clock.now()));
  let sum = nothing;
  for (const range of toRanges(due)) {
    const result = await aggregateRange(context, brandId, range, { whenBusy });
    if (result === null) return null;
    sum = addResults(sum, result);
  }
  return sum;
}

export function addResults(a: AggregationResult, b: AggregationResult): AggregationResult {
  const rows = Object.fromEntries(datasetNames.map((name) => [name, a.rows[name] + b.rows[name]]));
  return { days: a.days + b.days, rows: rows as RowCounts };
}
