import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Day } from '../analytics/day.ts';
import { ApiError } from '../errors/api-error.ts';
import { type BrandFigures, listBrandFigures } from './brand-list-store.ts';

export interface BrandSummary extends Omit<BrandFigures, 'brandId'> {
  /** The last aggregated day; null without one, or while the analytics store is unavailable. */
  readonly latestDay: Day | null;
}

/** One statement for each database. Without the analytics store, everything else is still returned. */
export async function readSummaries(
  { database, analytics, clock }: Pick<AnalyticsContext, 'database' | 'analytics' | 'clock'>,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, BrandSummary>> {
  if (brandIds.length === 0) return new Map();
  const [figures, lags] = await Promise.all([
    listBrandFigures(database, brandIds, new Date(clock.now())),
    analytics.listLags(brandIds, { size: brandIds.length, offset: 0 }).catch(ignoreUnavailable),
  ]);
  const latestDays = new Map(lags.map(({ brandId, latestDay }) => [brandId, latestDay]));
  return new Map(
    figures.map(({ brandId, ...rest }) => [brandId, { ...rest, latestDay: latestDays.get(brandId) ?? null }]),
  );
}

function ignoreUnavailable(error: unknown): [] {
  if (error instanceof ApiError && error.code === 'analytics_unavailable') return [];
  throw error;
}
