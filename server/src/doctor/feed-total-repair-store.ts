import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** Locks these feeds, so that workers cannot finish chunks of them until the transaction ends. */
export async function lockFeeds(tx: Transaction, brandId: number, feedIds: readonly string[]): Promise<void> {
  await tx.run(
    statement<{ id: number }>(
      'lock_feeds',
      `select id from stock_feeds
       where brand_id = $1 and id = any($2::bigint[])
       order by id
       for no key update`,
      [brandId, feedIds],
    ),
  );
}

/**
 * Recounts the decided lines of feeds, except of those whose lines were dropped. The caller has locked the feeds in an earlier
 * statement.
 */
export async function rewriteFeedTotals(
  tx: Transaction,
  brandId: number,
  feedIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'rewrite_feed_totals',
      `update stock_feeds f
       set totals = coalesce((
         select jsonb_object_agg(t.result, t.lines) from (
           select l.result, count(*) as lines from stock_feed_lines l
           where l.brand_id = f.brand_id and l.feed_id = f.id and l.result is not null
           group by l.result
         ) as t
       ), '{}')
       where f.brand_id = $1 and f.id = any($2::bigint[]) and f.lines_dropped_at is null`,
      [brandId, feedIds],
    ),
  );
}
