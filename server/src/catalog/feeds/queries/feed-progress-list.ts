import type { Page, TimeRange } from '../../../api/pagination.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { Conditions } from '../../../postgres/read-page.ts';
import { statement } from '../../../postgres/statement.ts';
import { brandLocks } from '../../../postgres/transaction.ts';
import { type FeedStatus, hasRefusedLines } from '../feed.ts';
import { type FeedLockWait, type FeedProgress, linesPerSecond, waitOf } from '../feed-progress.ts';
import { feedColumns } from '../feed-store.ts';

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
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${brandLocks.feeds}::oid
      and l.objid = ${brandId}::oid
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
    limit 1
  )`;

/** A client may use the batch ids of re-queues as well; its feeds are none. */
const isOfOperator = (submittedBy: string) => `coalesce(${submittedBy}, '') !~ '^(tuk_|feed-token:)'`;

/** The columns of the rows of `page`, with what other feeds of their brands tell. */
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
  ) end as "requeueOf"`;

/**
 * Lists the feeds that match, the last received first. Each brand contributes its newest feeds from the primary key; a filter
 * that few match reads all feeds of its brands. An id is looked up in each brand: 50 to 100 ms for 10,000 brands with 200,000
 * feeds.
 */
export async function listFeedProgress(
  database: Queryable,
  filter: FeedFilter,
  page: Page,
): Promise<{ rows: FeedProgress[]; total: number }> {
  const where = conditionsOf(filter);
  const { brandIds } = filter;
  const name = `${brandIds === null ? '' : '_of_brands'}${where.code}`;
  const brands = brandIds === null ? 'true' : `b.id = any (${where.parameter(brandIds)}::integer[])`;
  const values = [...where.values];
  const [size, offset] = [where.parameter(page.size), where.parameter(page.offset)];
  const [rows, counts] = await Promise.all([
    database.run(
      statement<ProgressRow>(
        `list_feed_progress${name}`,
        `with page as materialized (
           select n.* from brands b
           cross join lateral (
             select ${ownColumns} from stock_feeds f
             where f.brand_id = b.id and ${where.sql}
             order by f.id desc
             limit ${size}::bigint + ${offset}::bigint
           ) as n
           where ${brands}
           order by n.id desc
           limit ${size} offset ${offset}
         )
         select ${progressColumns} from page f order by f.id desc`,
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
