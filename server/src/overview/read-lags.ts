import type { Day } from '../analytics/day.ts';
import { listBrandIds } from '../analytics/directory-store.ts';
import type { BrandLag } from '../analytics/store/day-lists-store.ts';
import type { BrandReach } from '../api/access.ts';
import { ApiError } from '../errors/api-error.ts';
import type { OverviewContext } from './overview-context.ts';

export type LagSources = Pick<OverviewContext, 'database' | 'analytics' | 'clock'>;

/** Reads how far the datasets of some brands are, with their dirty days up to a day; null: the store is unavailable. */
export async function readLags(
  { database, analytics }: LagSources,
  reach: BrandReach,
  dirtyUntil: Day,
): Promise<readonly BrandLag[] | null> {
  const brandIds = reach ?? (await listBrandIds(database));
  if (brandIds.length === 0) return [];
  try {
    return await analytics.listLags(brandIds, { size: brandIds.length, offset: 0, dirtyUntil });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'analytics_unavailable') return null;
    throw error;
  }
}

/** Returns whether the last aggregated day of a brand is before a day. A brand without any is not behind. */
export function isBehind({ latestDay }: BrandLag, day: Day): boolean {
  return latestDay !== null && latestDay < day;
}
