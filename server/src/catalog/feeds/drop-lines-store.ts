import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** A batch ends with the feed that reaches this number of lines. */
const batchLines = 10_000;
const batchFeeds = 200;

interface DueFeed {
  readonly brand_id: number;
  readonly id: number;
  readonly received_lines: number;
}

/**
 * Drops all lines of some feeds that finished before the given time, the oldest feeds first, and returns the number of
 * lines; 0: none are left. A feed keeps its batch id and totals [catalog-118]. A feed's lines are dropped in one
 * transaction [D116], so that its report has all of them or none: at most 110,000 lines, 0.4 s. Skips feeds that another
 * transaction has locked, so callers may run concurrently.
 */
export async function dropFeedLines(tx: Transaction, before: Date): Promise<number> {
  const due = await tx.run(
    statement<DueFeed>(
      'lock_feeds_with_old_lines',
      `select brand_id, id, received_lines from stock_feeds
       where finished_at < $1 and lines_dropped_at is null
         and not exists (select from brands b where b.id = brand_id and b.closed_at is not null)
       order by finished_at
       limit $2
       for no key update skip locked`,
      [before, batchFeeds],
    ),
  );
  let lines = 0;
  for (const { brand_id, id, received_lines } of due) {
    // A statement for each feed is a range of the primary key; one for all of them could be planned as a scan of the table.
    tx.queue(
      statement<never>(
        'drop_feed_lines',
        'delete from stock_feed_lines where brand_id = $1 and feed_id = $2',
        [brand_id, id],
      ),
    );
    tx.queue(
      statement<never>(
        'drop_refused_feed_lines',
        'delete from refused_feed_lines where brand_id = $1 and feed_id = $2',
        [brand_id, id],
      ),
    );
    tx.queue(
      statement<never>(
        'note_dropped_feed_lines',
        `update stock_feeds set lines_dropped_at = now_ms(), report_order = null where brand_id = $1 and id = $2`,
        [brand_id, id],
      ),
    );
    lines += received_lines;
    if (lines >= batchLines) break;
  }
  return lines;
}
