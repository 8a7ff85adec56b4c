import type { BrandReach } from '../api/access.ts';
import type { Queryable } from '../postgres/database.ts';
import { type FeedHour, listFeedHours } from './queries/list-feed-hours.ts';
import { listUsageHours, type UsageHour } from './queries/list-usage-hours.ts';

const hourMs = 3_600_000;

/** The activity of an hour, in all given brands together. */
export interface ActivityHour extends Omit<UsageHour, 'at'>, Omit<FeedHour, 'at'> {
  /** The start of the hour, in milliseconds since the Unix epoch. */
  readonly at: number;
}

const noUsage = { requests: 0, refused: 0, denied: 0, failed: 0, events: 0 };
const noFeeds = { feedLines: 0, refusedLines: 0 };

/** Returns the last `hours` UTC hours, the current one included, oldest first; those without activity too. */
export async function readActivity(
  database: Queryable,
  brandIds: BrandReach,
  { hours, now }: { readonly hours: number; readonly now: number },
): Promise<ActivityHour[]> {
  const first = (Math.floor(now / hourMs) - hours + 1) * hourMs;
  const [usage, feeds] = await Promise.all([
    listUsageHours(database, brandIds, new Date(first)),
    listFeedHours(database, brandIds, new Date(first)),
  ]);
  const usageAt = new Map(usage.map(({ at, ...counts }) => [at.getTime(), counts]));
  const feedsAt = new Map(feeds.map(({ at, ...counts }) => [at.getTime(), counts]));
  return Array.from({ length: hours }, (_, index) => {
    const at = first + index * hourMs;
    return { at, ...(usageAt.get(at) ?? noUsage), ...(feedsAt.get(at) ?? noFeeds) };
  });
}
