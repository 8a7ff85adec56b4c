import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/**
 * Returns the age of the oldest feed that is not finished, in seconds since its receipt; 0 when all are. Across brands.
 */
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
