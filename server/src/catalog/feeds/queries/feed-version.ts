import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { catalogIncarnation } from '../../versions/queries/catalog-incarnation.ts';

/**
 * A column of `stock_feeds` with the version of a feed's report. Every transaction that writes a result into a line, or
 * drops the lines, also writes the row of the feed, so the last one (xmin) distinguishes all states.
 */
export const feedVersion = `concat_ws('/', id, xmin, ${catalogIncarnation})`;

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
