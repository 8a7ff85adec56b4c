import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/** Returns whether the brand has a feed that is neither completed nor failed. */
export async function hasUnfinishedFeeds(database: Queryable, brandId: number): Promise<boolean> {
  const rows = await database.run(
    statement<{ found: boolean }>(
      'has_unfinished_feeds',
      'select exists (select 1 from stock_feeds where brand_id = $1 and finished_at is null) as found',
      [brandId],
    ),
  );
  return rows[0]?.found === true;
}
