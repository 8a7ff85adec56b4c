import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { FeedStatus, ResultCounts } from './feed.ts';

/** A feed that is being applied. */
export interface FeedInWork {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  readonly receivedLines: number;
  /** Where the next chunk begins. */
  readonly nextLine: number;
  /** Lines are numbered otherwise than the request has them. */
  readonly isReordered: boolean;
}

/** Any number that no other two-key advisory lock of the database uses; the second key is the brand. */
const feedLockSpace = 4_217_732;

/**
 * Makes this transaction the one that applies the brand's feeds, until it ends; false when another one does. Never
 * waits.
 */
export async function tryLockBrandFeeds(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_brand_feeds',
      'select pg_try_advisory_xact_lock($1, $2) as locked',
      [feedLockSpace, brandId],
    ),
  );
  return rows[0]?.locked === true;
}

interface NextFeedRow {
  readonly id: number;
  readonly tu_id: string;
  readonly received_lines: number;
  readonly next_line: number;
  readonly is_reordered: boolean;
}

/** The feed whose turn it is: the first received of those that are not finished. */
export async function findNextFeed(tx: Transaction, brandId: number): Promise<FeedInWork | null> {
  const rows = await tx.run(
    statement<NextFeedRow>(
      'find_next_feed',
      `select id, tu_id, received_lines, next_line, report_order is not null as is_reordered from stock_feeds
       where brand_id = $1 and finished_at is null
       order by id
       limit 1`,
      [brandId],
    ),
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    brandId,
    id: row.id,
    tuId: row.tu_id,
    receivedLines: row.received_lines,
    nextLine: row.next_line,
    isReordered: row.is_reordered,
  };
}

/** What a feed counts in all, once nothing more happens to it. */
export interface FinishedFeed {
  readonly status: Extract<FeedStatus, 'completed' | 'failed'>;
  readonly counts: ResultCounts;
}

/**
 * Adds the results of a chunk to its feed and moves on to `nextLine`; answers the feed's final figures when that was
 * the end of it, else null.
 */
export async function advanceFeed(
  tx: Transaction,
  { brandId, id }: FeedInWork,
  counts: ResultCounts,
  nextLine: number,
): Promise<FinishedFeed | null> {
  const rows = await tx.run(
    statement<{ status: FeedStatus; totals: ResultCounts }>(
      'advance_feed',
      `update stock_feeds f
       set next_line = $4, worked_at = date_trunc('milliseconds', clock_timestamp()), failed_attempts = 0,
         totals = (
           select coalesce(jsonb_object_agg(t.result, t.lines), '{}') from (
             select e.key as result, sum(e.value::integer) as lines
             from (select * from jsonb_each_text(f.totals) union all select * from jsonb_each_text($3)) e
             group by e.key
           ) t
         ),
         status = case when $4 < f.received_lines then 'processing' else 'completed' end,
         finished_at = case when $4 < f.received_lines then null
           else date_trunc('milliseconds', clock_timestamp()) end
       where f.brand_id = $1 and f.id = $2
       returning f.status, f.totals`,
      [brandId, id, counts, nextLine],
    ),
  );
  const row = rows[0];
  return row?.status === 'completed' ? { status: 'completed', counts: row.totals } : null;
}

/** After so many rollbacks of one chunk in a row the feed has failed: trying again would hold up those behind it. */
const maxAttempts = 5;

/** Notes that a chunk was rolled back; answers the feed's final figures when it was once too often, else null. */
export async function noteFailedChunk(
  tx: Transaction,
  { brandId, id, nextLine, isReordered }: FeedInWork,
): Promise<FinishedFeed | null> {
  const rows = await tx.run(
    statement<{ status: FeedStatus; totals: ResultCounts }>(
      'note_failed_chunk',
      `update stock_feeds f
       set failed_attempts = f.failed_attempts + 1,
         worked_at = date_trunc('milliseconds', clock_timestamp()),
         status = case when f.failed_attempts + 1 < $3 then f.status else 'failed' end,
         finished_at = case when f.failed_attempts + 1 < $3 then null
           else date_trunc('milliseconds', clock_timestamp()) end,
         message = case when f.failed_attempts + 1 < $3 then f.message else $4 end
       where f.brand_id = $1 and f.id = $2 and f.finished_at is null
       returning f.status, f.totals`,
      [
        brandId,
        id,
        maxAttempts,
        isReordered
          ? 'The lines without a result could not be applied; the others were decided. Send them as a new batch.'
          : `The lines from number ${nextLine + 1} on could not be applied; those before it were. Send them as a new batch.`,
      ],
    ),
  );
  const row = rows[0];
  return row?.status === 'failed' ? { status: 'failed', counts: row.totals } : null;
}
