import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Feed } from './feed.ts';
import { feedColumns } from './feed-store.ts';

/** The batch ids of the feeds that send lines of a feed again begin with it; a number from 1 follows. */
function requeuePrefix(feedTuId: string): string {
  return `requeue:${feedTuId}:`;
}

/** Locks a feed against other re-queues and the drop of its lines; false if they were dropped. */
export async function lockRequeuedFeed(tx: Transaction, { brandId, id }: Feed): Promise<boolean> {
  const rows = await tx.run(
    statement<{ hasLines: boolean }>(
      'lock_requeued_feed',
      `select lines_dropped_at is null as "hasLines" from stock_feeds
       where brand_id = $1 and id = $2
       for no key update`,
      [brandId, id],
    ),
  );
  return rows[0]?.hasLines === true;
}

/** Finds a feed that sends exactly these lines of a locked feed again and is not finished. */
export async function findUnfinishedRequeue(
  tx: Transaction,
  { brandId, tuId }: Feed,
  linesSha256: Uint8Array,
): Promise<Feed | null> {
  const rows = await tx.run(
    statement<Feed>(
      'find_unfinished_requeue',
      `select ${feedColumns} from stock_feeds
       where brand_id = $1 and finished_at is null and starts_with(batch_id, $2) and lines_sha256 = $3
       order by id
       limit 1`,
      [brandId, requeuePrefix(tuId), linesSha256],
    ),
  );
  return rows[0] ?? null;
}

/** Clients may use such ids as well: of n+1 numbers, at least one is free if n are taken. */
export async function findFreeRequeueId(tx: Transaction, { brandId, tuId }: Feed): Promise<string> {
  const prefix = requeuePrefix(tuId);
  const rows = await tx.run(
    statement<{ n: number }>(
      'find_free_requeue_number',
      `select min(n)::integer as n
       from generate_series(1, (
         -- ";" follows ":" in the order of the column's collation.
         select count(*) + 1 from stock_feeds
         where brand_id = $1 and batch_id >= $2 and batch_id < left($2, -1) || ';'
       )) as n
       where not exists (select from stock_feeds f where f.brand_id = $1 and f.batch_id = $2 || n)`,
      [brandId, prefix],
    ),
  );
  return `${prefix}${rows[0]?.n ?? 1}`;
}

/** Deletes the open lines at these positions of a feed. Leaves out those that a chunk replaces now, for which it would wait. */
export async function closeCorrectedLines(
  tx: Transaction,
  { brandId, id }: Feed,
  positions: readonly number[],
): Promise<number> {
  const [row] = await tx.run(
    statement<{ closed: number }>(
      'close_corrected_lines',
      `with closed as (delete from open_feed_lines o where o.brand_id = $1 and o.ctid = any (array(
         select l.ctid from open_feed_lines l
         where l.brand_id = $1 and l.feed_id = $2 and l.line in (
           select coalesce(f.report_order[p.place + 1], p.place) from unnest($3::integer[]) as p (place), stock_feeds f
           where f.brand_id = $1 and f.id = $2
         )
         for update skip locked
       )) returning 1)
       select count(*)::integer as closed from closed`,
      [brandId, id, positions],
    ),
  );
  return row?.closed ?? 0;
}
