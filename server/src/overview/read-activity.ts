import type { Static } from 'typebox';
import type { BrandReach } from '../api/access.ts';
import type { Queryable } from '../postgres/database.ts';
import type { ActivityHourWire } from './activity-wire.ts';
import { listFeedHours, listUsageHours } from './queries/list-activity-hours.ts';

const hourMs = 3_600_000;

const noUsage = { requests: 0, refused: 0, denied: 0, failed: 0, events: 0 };
const noFeeds = { feed_lines: 0, refused_lines: 0 };

/** Returns the last `hours` UTC hours, the current one included, oldest first; those without activity too. */
export async function readActivity(
  database: Queryable,
  brandIds: BrandReach,
  { hours, now }: { readonly hours: number; readonly now: number },
): Promise<Static<typeof ActivityHourWire>[]> {
  const first = (Math.floor(now / hourMs) - hours + 1) * hourMs;
  const [usage, feeds] = await Promise.all([
    listUsageHours(database, brandIds, new Date(first)),
    listFeedHours(database, brandIds, new Date(first)),
  ]);
  const usageAt = new Map(usage.map(({ at, ...counts }) => [at.getTime(), counts]));
  const feedsAt = new Map(feeds.map(({ at, ...counts }) => [at.getTime(), counts]));
  return Array.from({ length: hours }, (_, index) => {
    const at = first + index * hourMs;
    const counts = { ...(usageAt.get(at) ?? noUsage), ...(feedsAt.get(at) ?? noFeeds) };
    return { at: new Date(at).toISOString(), ...counts };
  });
}
