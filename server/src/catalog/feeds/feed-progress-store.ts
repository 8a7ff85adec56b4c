import type { Page } from '../../api/pagination.ts';
import { orderOf, type Sort } from '../../api/sort.ts';
import type { TimeRange } from '../../api/time-range.ts';
import { notFound } from '../../errors/api-error.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { advisoryLocks } from '../../postgres/transaction.ts';
import {
  type FeedLockWait,
  type FeedProgress,
  type FeedStatus,
  hasRefusedLines,
  linesPerSecond,
  refusedResults,
  waitOf,
} from './feed.ts';
import { feedColumns, leftOf } from './feed-store.ts';

/** `from` and `to`: the time of receipt. */
export interface FeedFilter extends TimeRange {
  /** null: all brands. */
  readonly brandIds: readonly number[] | null;
  readonly status?: FeedStatus | undefined;
  readonly source?: string | undefined;
  readonly feedId?: string | undefined;
  readonly refusedLines?: boolean | undefined;
}

interface ProgressRow extends Omit<FeedProgress, 'linesPerSecond' | 'waiting'> {
  readonly workedAt: Date | null;
  readonly failedAttempts: number;
  readonly lockWait: FeedLockWait | null;
  readonly previousFinishedAt: Date | null;
}

const ownColumns = `${feedColumns}, next_line as "nextLine", worked_at as "workedAt", submitted_by as "submittedBy",
  request_id as "requestId", failed_attempts as "failedAttempts"`;

const mostRequeues = 20;

const epochMs = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;

/** Finds the session that keeps the transaction with the lock of the brand's feeds waiting; null: it does not wait. */
const lockWaitOf = (brandId: string) => `(
    select json_build_object('pid', h.pid, 'holderSince', ${epochMs('s.xact_start')}, 'since', (
        select ${epochMs('min(w.waitstart)')} from pg_locks w where w.pid = l.pid and not w.granted
      ))
    from pg_locks l
    cross join lateral unnest(pg_blocking_pids(l.pid)) as h (pid)
    left join pg_stat_activity s on s.pid = h.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${advisoryLocks.feeds}::oid
      and l.objid = ${brandId}::oid
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
    limit 1
  )`;

/** A client may use the batch ids of re-queues as well; its feeds are none. */
const isOfOperator = (submittedBy: string) => `coalesce(${submittedBy}, '') !~ '^(tuk_|feed-token:)'`;

const ownLinesLeft = `case when f.counts ?| array[${refusedResults}] then ${leftOf('f."brandId"', 'f.id')} else 0 end`;

/** The columns of the rows of `page`, with figures from other feeds of their brands. */
const progressColumns = `f.*,
  case when f."finishedAt" is null then (
    select count(*) + 1 from stock_feeds q where q.brand_id = f."brandId" and q.finished_at is null and q.id < f.id
  ) end as "queuePosition",
  case when f."finishedAt" is null then ${lockWaitOf('f."brandId"')} end as "lockWait",
  (
    select p.finished_at from stock_feeds p where p.brand_id = f."brandId" and p.id < f.id order by p.id desc limit 1
  ) as "previousFinishedAt",
  array(
    select r.tu_id from (
      select q.id, q.tu_id from stock_feeds q
      where q.brand_id = f."brandId" and q.batch_id >= 'requeue:' || f."tuId" || ':' and q.batch_id < 'requeue:' || f."tuId" || ';'
        and ${isOfOperator('q.submitted_by')}
      order by q.id desc limit ${mostRequeues}
    ) as r order by r.id
  ) as "requeuedAs",
  case when f."batchId" like 'requeue:%' and ${isOfOperator('f."submittedBy"')} then (
    select o.tu_id from stock_feeds o where o.brand_id = f."brandId" and o.tu_id = split_part(f."batchId", ':', 2)
  ) end as "requeueOf",
  ${ownLinesLeft} as "failedLinesLeft"`;

/** The lines of a failed feed that have no result. */
const undecidedLines = `case when f.status = 'failed' then f."receivedLines" - (
    select coalesce(sum(t.value::integer), 0) from jsonb_each_text(f.counts) t
  ) else 0 end`;

/** Feeds are numbered in the order of their receipt, across brands. */
export const feedSortColumns = {
  received_at: ['f.id'],
  received_lines: 'f."receivedLines"',
  lines_left: `${ownLinesLeft} + ${undecidedLines}`,
  // One time for all rows: equal ones stay equal.
  duration: 'coalesce(f."finishedAt", (select now_ms())) - f."receivedAt"',
} as const;

/**
 * Lists the feeds that match, the last received first unless sorted. Each brand contributes its newest or oldest feeds from the
 * primary key; a filter that few match reads all feeds of its brands. By anything but time, all that match are read as
 * their count does: 0.4 s of a million [D370]. An id is looked up in each brand: 50 to 100 ms for 10,000
 * brands with 200,000 feeds.
 */
export async function listFeedProgress(
  database: Queryable,
  filter: FeedFilter,
  page: Page,
  sort?: Sort<keyof typeof feedSortColumns>,
): Promise<{ rows: FeedProgress[]; total: number }> {
  const where = conditionsOf(filter);
  const { brandIds } = filter;
  const { code, orderBy } = orderOf(feedSortColumns, sort, 'f.id desc');
  const isByTime = sort === undefined || sort === 'received_at' || sort === '-received_at';
  const name = `${brandIds === null ? '' : '_of_brands'}${where.code}`;
  const ids = brandIds === null ? null : where.parameter(brandIds);
  const ofBrands = (id: string) => (ids === null ? 'true' : `${id} = any (${ids}::integer[])`);
  const brands = ofBrands('b.id');
  const values = [...where.values];
  const [size, offset] = [where.parameter(page.size), where.parameter(page.offset)];
  const from = isByTime
    ? `brands b cross join lateral (
         select ${ownColumns} from stock_feeds f where f.brand_id = b.id and ${where.sql}
         order by ${orderBy} limit ${size}::bigint + ${offset}::bigint
       ) as f
       where ${brands}`
    : `(select ${ownColumns} from stock_feeds f where ${ofBrands('f.brand_id')} and ${where.sql}) as f`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<ProgressRow>(
        `list_feed_progress${name}${code}`,
        `with page as materialized (select f.* from ${from} order by ${orderBy} limit ${size} offset ${offset})
         select ${progressColumns} from page f order by ${orderBy}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_feed_progress${name}`,
        `select count(*) as total from stock_feeds f join brands b on b.id = f.brand_id
         where ${brands} and ${where.sql}`,
        values,
        { long: true },
      ),
    ),
  ]);
  return { rows: rows.map(progressFromRow), total: counts[0]?.total ?? 0 };
}

/** @throws ApiError `not_found` */
export async function getFeedProgress(
  database: Queryable,
  brandId: number,
  feedId: string,
): Promise<FeedProgress> {
  const rows = await database.run(
    statement<ProgressRow>(
      'get_feed_progress',
      `select ${progressColumns} from (
         select ${ownColumns} from stock_feeds where brand_id = $1 and tu_id = $2
       ) as f`,
      [brandId, feedId],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return progressFromRow(rows[0]);
}

function conditionsOf({ status, source, feedId, refusedLines, from, to }: FeedFilter): Conditions {
  const where = new Conditions(['true'], []);
  const isUnfinished = status === 'queued' || status === 'processing';
  where.add(
    // Names the index of unfinished feeds.
    isUnfinished ? '_unfinished' : '_status',
    (parameter) => `f.status = ${parameter}${isUnfinished ? ' and f.finished_at is null' : ''}`,
    status,
  );
  where.add('_source', (parameter) => `f.source = ${parameter}`, source);
  where.add('_id', (parameter) => `f.tu_id = ${parameter}`, feedId);
  if (refusedLines !== undefined)
    where.addFixed(
      refusedLines ? '_refused' : '_unrefused',
      refusedLines ? `f.${hasRefusedLines}` : `not f.${hasRefusedLines}`,
    );
  where.add('_from', (parameter) => `f.received_at >= ${parameter}`, from);
  where.add('_to', (parameter) => `f.received_at <= ${parameter}`, to);
  return where;
}

function progressFromRow(row: ProgressRow): FeedProgress {
  const { workedAt, previousFinishedAt, failedAttempts: _, lockWait: __, ...feed } = row;
  return {
    ...feed,
    linesPerSecond: linesPerSecond({ ...feed, workedAt, previousFinishedAt }),
    waiting: waitOf(row),
  };
}
