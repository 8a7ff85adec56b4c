import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { pauseMsOfFeed } from '../feed-work-store.ts';

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

/**
 * Returns the brands with unfinished feeds for which nothing was received or committed for `idleMs`. The pause after a failed
 * attempt is not idle; a time that is dated ahead, because the clock was set back, is long ago.
 */
export async function listBrandsWithIdleFeeds(database: Queryable, idleMs: number): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      'list_brands_with_idle_feeds',
      `select f.brand_id from stock_feeds f
       where f.finished_at is null
       group by f.brand_id
       having max(
         coalesce(f.worked_at, f.received_at) + ${pauseMsOfFeed} * interval '1 millisecond'
       ) not between now_ms() - $1 * interval '1 millisecond' and now_ms() + interval '11 seconds'`,
      [idleMs],
    ),
  );
  return rows.map((row) => row.brand_id);
}

/** Returns the seconds since the receipt of the oldest unfinished feed; 0 when all are finished. */
export async function readOldestFeedAge(database: Queryable): Promise<number> {
  const rows = await database.run(
    statement<{ seconds: number }>(
      'read_oldest_feed_age',
      `select greatest(coalesce(extract(epoch from now_ms() - min(received_at)), 0), 0)::float8 as seconds
       from stock_feeds
       where finished_at is null`,
    ),
  );
  return rows[0]?.seconds ?? 0;
}
