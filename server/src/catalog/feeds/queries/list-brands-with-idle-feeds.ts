import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/**
 * The brands whose turn nobody has taken for `idleMs`: they have unfinished feeds, and no worker has committed
 * anything of them, nor were they received, within that time. Across brands, over the index of unfinished feeds.
 */
export async function listBrandsWithIdleFeeds(database: Queryable, idleMs: number): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      'list_brands_with_idle_feeds',
      `select f.brand_id from stock_feeds f
       where f.finished_at is null
       group by f.brand_id
       having max(coalesce(f.worked_at, f.received_at)) <= clock_timestamp() - $1 * interval '1 millisecond'`,
      [idleMs],
    ),
  );
  return rows.map((row) => row.brand_id);
}
