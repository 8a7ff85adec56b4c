import { ApiError } from '../../errors/api-error.ts';
import { listBrandIds } from '../queries/list-brand-ids.ts';
import type { AggregationResult } from '../store/days-store.ts';
import { type AggregationContext, addResults, aggregateDueDays, nothing } from './aggregation-service.ts';

export interface NightlyRun {
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
 * end, where the run waits for it. A failing brand does not block others, unless the store is unavailable [D29]; a second run
 * aggregates the rest.
 * @throws BrandsNotAggregated after the other brands, or if the store is unavailable
 */
export async function aggregateAllBrands(context: AggregationContext): Promise<NightlyRun> {
  const brandIds = await listBrandIds(context.database);
  const results: AggregationResult[] = [];
  const failures: Error[] = [];
  let awayInARow = 0;
  /** Returns whether the brand is finished, successfully or not. */
  const aggregate = async (brandId: number, whenBusy: 'wait' | 'skip'): Promise<boolean> => {
    if (awayInARow >= awayLimit) return true;
    try {
      const result = await aggregateDueDays(context, brandId, whenBusy);
      awayInARow = 0;
      if (result !== null) results.push(result);
      return result !== null;
    } catch (error) {
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
