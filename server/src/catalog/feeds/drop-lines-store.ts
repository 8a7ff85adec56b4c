import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** A batch ends with the feed that reaches this number of lines. */
const batchLines = 50_000;
const batchFeeds = 200;

/**
 * Drops all lines of some feeds that finished before the given time, the oldest first, and returns their number; 0: none are
 * left. A feed keeps its batch id and totals [catalog-118]. Its lines are dropped in one transaction [D116]: at most 150,000.
 * Skips locked feeds, so callers may run concurrently.
 */
export async function dropFeedLines(tx: Transaction, before: Date): Promise<number> {
  const rows = await tx.run(
    statement<{ lines: number }>(
      'drop_feed_lines',
      `with due as materialized (
         select brand_id, id, received_lines, finished_at from stock_feeds
         where finished_at < $1 and lines_dropped_at is null
         order by finished_at
         limit $2
         for no key update skip locked
       ), taken as materialized (
         select d.brand_id, d.id, d.received_lines from (
           select d.*, sum(d.received_lines) over (order by d.finished_at, d.brand_id, d.id) as lines_so_far from due d
         ) d
         where d.lines_so_far - d.received_lines < $3
       ), packs as (
         delete from stock_feed_packs p using taken t where p.brand_id = t.brand_id and p.feed_id = t.id
       ), refused as (
         delete from refused_feed_lines r using taken t where r.brand_id = t.brand_id and r.feed_id = t.id
       ), open as (
         delete from open_feed_lines o using taken t where o.brand_id = t.brand_id and o.feed_id = t.id
       ), noted as (
         update stock_feeds f set lines_dropped_at = now_ms(), report_order = null
         from taken t where f.brand_id = t.brand_id and f.id = t.id
       )
       select coalesce(sum(t.received_lines), 0)::float8 as lines from taken t`,
      [before, batchFeeds, batchLines],
    ),
  );
  return rows[0]?.lines ?? 0;
}
