import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Feed } from '../feed.ts';
import { type FeedRow, feedColumns, feedFromRow } from '../feed-store.ts';
import { feedVersion } from './feed-version.ts';

/**
 * Reads a feed and the version of its report.
 * @throws ApiError `not_found`, for a feed of another brand too [catalog-114]
 */
export async function getFeed(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<{ feed: Feed; version: string }> {
  const rows = await database.run(
    statement<FeedRow & { version: string }>(
      'find_feed',
      `select ${feedColumns}, ${feedVersion} as version from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return { feed: feedFromRow(row), version: row.version };
}
