import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from '../../brand-catalog-store.ts';
import type { Feed } from '../feed.ts';
import { feedColumns } from '../feed-store.ts';

/**
 * The version of a feed's report. Every transaction that writes a result into a line, or drops the lines, also writes the row
 * of the feed, so the last one (xmin) distinguishes all states.
 */
const feedVersion = `concat_ws('/', id, xmin, ${catalogIncarnation})`;

/** @throws ApiError `not_found`, for a feed of another brand too [catalog-114] */
export async function getFeed(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<{ feed: Feed; version: string }> {
  const [row] = await database.run(
    statement<Feed & { readonly version: string }>(
      'find_feed',
      `select ${feedColumns}, ${feedVersion} as version from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  if (row === undefined) throw notFound();
  const { version, ...feed } = row;
  return { feed, version };
}

/** Returns the version of a feed's report; null when the brand has no such feed. */
export async function findFeedVersion(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_feed_version',
      `select ${feedVersion} as version from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0]?.version ?? null;
}
