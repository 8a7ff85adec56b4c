import {
  dropFirstPartition,
  findFirstPartitionEnd,
  lockFirstPartition,
} from '../../postgres/partitions/partition-store.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** A feed of the partition was received or not finished when the partition was about to be dropped. */
export class PartitionInUse extends Error {}

/**
 * Drops the first partition of feed lines if all feeds of it finished before the given time, and returns the number of lines
 * that they still had; null: it is not due. As with single feeds, batch ids and totals stay, and the refused lines go
 * [catalog-118].
 * @throws PartitionInUse, DatabaseError 55P03 if a lock was not free within half a second; the caller rolls back
 */
export async function dropLinePartition(tx: Transaction, before: Date): Promise<number | null> {
  const end = await findFirstPartitionEnd(tx, 'stock_feed_lines');
  if (end === null || (await hasKeptFeeds(tx, end, before))) return null;
  // Before the locks of the partition: readers wait behind those.
  const rows = await tx.run(
    statement<{ lines: number }>(
      'note_dropped_partition',
      `with dropped as (
         update stock_feeds set lines_dropped_at = now_ms(), report_order = null
         where id < $1 and lines_dropped_at is null and finished_at < $2
         returning brand_id, id, received_lines
       ), refused as (
         delete from refused_feed_lines r using dropped d where r.brand_id = d.brand_id and r.feed_id = d.id
       )
       select coalesce(sum(d.received_lines), 0) as lines from dropped d`,
      [end, before],
    ),
  );
  if (!(await lockFirstPartition(tx, 'stock_feed_lines', end))) throw new PartitionInUse();
  // Feeds whose intake committed while this transaction waited for the lock.
  if (await hasKeptFeeds(tx, end, null)) throw new PartitionInUse();
  dropFirstPartition(tx, 'stock_feed_lines');
  return rows[0]?.lines ?? 0;
}

/**
 * Returns whether a feed before `end` has lines and finished at `before` or later, or not at all, or belongs to a closed
 * brand, of which nothing may change [D202]. null: any feed with lines.
 */
async function hasKeptFeeds(tx: Transaction, end: number, before: Date | null): Promise<boolean> {
  const rows = await tx.run(
    statement<{ found: boolean }>(
      'has_kept_feeds',
      `select exists (
         select from stock_feeds f
         where f.id < $1 and f.lines_dropped_at is null
           and (
             f.finished_at is null or $2::timestamptz is null or f.finished_at >= $2
             or exists (select from brands b where b.id = f.brand_id and b.closed_at is not null)
           )
       ) as found`,
      [end, before],
    ),
  );
  return rows[0]?.found === true;
}
