import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { advisoryLocks, type Transaction } from '../../postgres/transaction.ts';
import { type FeedStatus, lineResults, type ResultCounts } from './feed.ts';

export interface FeedInWork {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  /** The request that sent the feed; null for feeds of versions that did not store it. */
  readonly requestId: string | null;
  readonly receivedLines: number;
  readonly counts: ResultCounts;
  /** The first line of the next chunk. */
  readonly nextLine: number;
  readonly isReordered: boolean;
  /** True if refused lines of the brand wait for a later line. */
  readonly hasOpenLines: boolean;
  /** The number of consecutive attempts at the next chunk that were rolled back. */
  readonly failedAttempts: number;
  /** The remaining pause after a failed attempt, milliseconds; 0: the feed may be applied now. */
  readonly waitMs: number;
}

/** Makes this transaction the only one that applies the brand's feeds; false when another one does. Never waits. */
export async function tryLockBrandFeeds(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_brand_feeds',
      'select pg_try_advisory_xact_lock($1, $2) as locked',
      [advisoryLocks.feeds, brandId],
    ),
  );
  return rows[0]?.locked === true;
}

/** The pause after the first failed attempt, which each further one doubles, and the longest pause; milliseconds. */
const firstPauseMs = 50;
const longestPauseMs = 10_000;

/** The pause of a feed `f` after its last failed attempt, milliseconds; a double, which no number of attempts overflows. */
const pauseMsOfFeed = `(case when f.failed_attempts <= 0 then 0
  else least(${longestPauseMs}, ${firstPauseMs} * power(2::float8, least(f.failed_attempts, 20) - 1)) end)`;

/** Returns the next feed to apply: the first received of those that are not finished. */
export async function findNextFeed(tx: Transaction, brandId: number): Promise<FeedInWork | null> {
  const rows = await tx.run(
    statement<Omit<FeedInWork, 'brandId' | 'counts'> & { readonly totals: unknown }>(
      'find_next_feed',
      // If the clock was set back, do not wait.
      `select f.id, f.tu_id as "tuId", f.request_id as "requestId", f.received_lines as "receivedLines", f.totals,
         f.next_line as "nextLine", f.report_order is not null as "isReordered", f.failed_attempts as "failedAttempts",
         exists (select from open_feed_lines o where o.brand_id = $1) as "hasOpenLines",
         case when w.ago_ms < 0 then 0 else ceil(greatest(0, ${pauseMsOfFeed} - w.ago_ms)) end::float8 as "waitMs"
       from stock_feeds f
       cross join lateral (
         select extract(epoch from now_ms() - coalesce(f.worked_at, f.received_at))::float8 * 1000 as ago_ms
       ) as w
       where f.brand_id = $1 and f.finished_at is null
       order by f.id
       limit 1`,
      [brandId],
    ),
  );
  if (rows[0] === undefined) return null;
  const { totals, ...feed } = rows[0];
  return { brandId, ...feed, counts: countsFrom(totals) };
}

export interface FinishedFeed {
  readonly status: Extract<FeedStatus, 'completed' | 'failed'>;
  readonly counts: ResultCounts;
}

/** Omits what is not a number of lines; `finishByLines` counts them again. */
function countsFrom(totals: unknown): ResultCounts {
  const stored: ResultCounts = Object(totals);
  const entries = lineResults.map((result) => [result, stored[result]] as const);
  return Object.fromEntries(entries.filter(([, lines]) => Number.isInteger(lines)));
}

/**
 * Adds the results of a chunk and advances the feed to `nextLine`; sent with the next statement, after the results of the
 * lines. Returns the final totals after the last chunk, else null.
 */
export async function advanceFeed(
  tx: Transaction,
  feed: FeedInWork,
  decided: ResultCounts,
  nextLine: number,
): Promise<FinishedFeed | null> {
  const counts = sumOf(feed.counts, decided);
  const isLast = nextLine >= feed.receivedLines;
  const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isComplete = isLast && lines === feed.receivedLines;
  tx.queue(
    statement<never>(
      'advance_feed',
      `update stock_feeds
       set next_line = $3, worked_at = now_ms(), failed_attempts = 0, totals = $4,
         status = case when $5 then 'completed' else 'processing' end, finished_at = case when $5 then now_ms() end
       where brand_id = $1 and id = $2`,
      [feed.brandId, feed.id, nextLine, counts, isComplete],
    ),
  );
  if (isComplete) return { status: 'completed', counts };
  return isLast ? finishByLines(tx, feed) : null;
}

function sumOf(before: ResultCounts, more: ResultCounts): ResultCounts {
  const entries = lineResults.map((result) => [result, (before[result] ?? 0) + (more[result] ?? 0)] as const);
  return Object.fromEntries(entries.filter(([, lines]) => lines > 0));
}

/**
 * Finishes a feed whose totals do not add up to the lines received, although none is left to decide. The stored lines are
 * authoritative: if each has a result the totals are corrected, otherwise the feed has failed.
 */
async function finishByLines(tx: Transaction, { brandId, id }: FeedInWork): Promise<FinishedFeed> {
  const rows = await tx.run(
    statement<{ status: FinishedFeed['status']; totals: ResultCounts }>(
      'finish_feed_by_lines',
      `update stock_feeds f
       set totals = t.totals,
         status = case when t.lines = f.received_lines then 'completed' else 'failed' end,
         finished_at = now_ms(),
         message = case when t.lines <> f.received_lines then format(
           'Results are stored for %s of the %s lines received; the others were lost. Send the lines as a new batch.',
           t.lines, f.received_lines) end
       from (
         select coalesce(jsonb_object_agg(r.result, r.lines), '{}') as totals, coalesce(sum(r.lines), 0) as lines
         from (
           select l.result, count(*) as lines from stock_feed_lines l
           where l.brand_id = $1 and l.feed_id = $2 and l.result is not null
           group by l.result
         ) r
       ) t
       where f.brand_id = $1 and f.id = $2
       returning f.status, f.totals`,
      [brandId, id],
    ),
  );
  const row = rows[0] as NonNullable<(typeof rows)[0]>;
  return { status: row.status, counts: row.totals };
}

/**
 * Rollbacks in a row after which a feed has failed. `refused`: the database refused the writes. `passing`: a lock or a
 * statement timed out, or transactions conflicted.
 */
const attemptLimits = { refused: 5, passing: 30 } as const;

export type ChunkFailure = keyof typeof attemptLimits;

/**
 * Counts a rolled-back attempt; the feed is retried after a pause. Returns the final totals if the limit is reached, else null.
 */
export async function recordFailedChunk(
  tx: Transaction,
  { brandId, id, nextLine, isReordered }: FeedInWork,
  failure: ChunkFailure,
): Promise<FinishedFeed | null> {
  const rows = await tx.run(
    statement<{ status: FeedStatus; totals: ResultCounts }>(
      'record_failed_chunk',
      `update stock_feeds f
       set failed_attempts = n.attempts,
         worked_at = now_ms(),
         status = case when n.attempts < $3 then f.status else 'failed' end,
         finished_at = case when n.attempts < $3 then null else now_ms() end,
         message = case when n.attempts < $3 then f.message else $4 end
       from (
         -- Clamped regardless of the stored value, so that counting cannot fail.
         select g.brand_id, g.id, least(greatest(g.failed_attempts, 0), 1000) + 1 as attempts
         from stock_feeds g
         where g.brand_id = $1 and g.id = $2
       ) n
       where f.brand_id = n.brand_id and f.id = n.id and f.finished_at is null
       returning f.status, f.totals`,
      [
        brandId,
        id,
        attemptLimits[failure],
        `${
          isReordered
            ? 'The lines without a result could not be applied; all others were decided.'
            : nextLine === 0
              ? 'No line could be applied.'
              : `The lines from number ${nextLine + 1} on could not be applied; the lines before them were.`
        } ${reasons[failure]} Send them as a new batch.`,
      ],
    ),
  );
  const row = rows[0];
  return row?.status === 'failed' ? { status: 'failed', counts: row.totals } : null;
}

const reasons: Readonly<Record<ChunkFailure, string>> = {
  refused: 'The database rejected them.',
  passing: 'They took too long in the database.',
};

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
    statement<{ brandId: number }>(
      'list_brands_with_idle_feeds',
      `select f.brand_id as "brandId" from stock_feeds f
       where f.finished_at is null
       group by f.brand_id
       having max(
         coalesce(f.worked_at, f.received_at) + ${pauseMsOfFeed} * interval '1 millisecond'
       ) not between now_ms() - $1 * interval '1 millisecond' and now_ms() + interval '11 seconds'`,
      [idleMs],
    ),
  );
  return rows.map(({ brandId }) => brandId);
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
