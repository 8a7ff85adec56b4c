import { notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { catalogIncarnation } from '../brand-catalog-store.ts';
import { type Feed, hasRefusedLines } from './feed.ts';

export const feedColumns = `brand_id as "brandId", id, tu_id as "tuId", batch_id as "batchId", lines_sha256 as "linesSha256",
  source, status, received_lines as "receivedLines", totals as counts, message, received_at as "receivedAt",
  finished_at as "finishedAt", lines_dropped_at as "linesDroppedAt", report_order is not null as "isReordered"`;

/** Reads the database's clock, which levels are stamped by too: processes share a clock only through the database. */
export async function readReceiptTime(database: Queryable): Promise<Date> {
  const rows = await database.run(statement<{ now: Date }>('read_receipt_time', `select now_ms() as now`));
  return (rows[0] as { now: Date }).now;
}

export async function findFeedByBatch(
  database: Queryable,
  brandId: number,
  batchId: string,
): Promise<Feed | null> {
  const rows = await database.run(
    statement<Feed>(
      'find_feed_by_batch',
      `select ${feedColumns} from stock_feeds where brand_id = $1 and batch_id = $2`,
      [brandId, batchId],
    ),
  );
  return rows[0] ?? null;
}

export interface FeedInsert
  extends Pick<Feed, 'brandId' | 'tuId' | 'batchId' | 'source' | 'receivedLines' | 'receivedAt'> {
  readonly linesSha256: Uint8Array;
  /** The public id of the API key or feed token; null if the server itself made the feed. */
  readonly submittedBy: string | null;
  readonly requestId: string | null;
  readonly superseded: number;
  readonly reportOrder: Uint8Array | null;
}

/** Inserts a feed without its lines; null when the brand has one of this batch. Waits for a transaction that inserts the same. */
export async function insertFeed(tx: Transaction, feed: FeedInsert): Promise<Feed | null> {
  const totals = feed.superseded === 0 ? {} : { superseded: feed.superseded };
  const rows = await tx.run(
    statement<Feed>(
      'insert_feed',
      `insert into stock_feeds
         (brand_id, tu_id, batch_id, lines_sha256, source, received_lines, totals, received_at, report_order,
          submitted_by, request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::integer[], $10, $11)
       on conflict (brand_id, batch_id) do nothing
       returning ${feedColumns}`,
      [
        feed.brandId,
        feed.tuId,
        feed.batchId,
        feed.linesSha256,
        feed.source,
        feed.receivedLines,
        totals,
        feed.receivedAt,
        feed.reportOrder,
        feed.submittedBy,
        feed.requestId,
      ],
    ),
  );
  return rows[0] ?? null;
}

/** Stores packs of lines, a JSON array of objects with the names of the columns; its bytes are sent unchanged [D220]. */
export async function insertFeedPacks(
  tx: Transaction,
  { brandId, id }: Pick<Feed, 'brandId' | 'id'>,
  json: Uint8Array,
): Promise<void> {
  await tx.run(
    statement<never>(
      'insert_feed_packs',
      `insert into stock_feed_packs
         (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, updated_micros, results)
       select $1, $2, x.first_line, x.skus, x.location_codes, x.quantities, x.reserved, x.updated_ats,
         x.updated_micros, x.results
       from json_to_recordset($3::json) as x (first_line integer, skus text[], location_codes text[],
         quantities integer[], reserved integer[], updated_ats timestamptz[], updated_micros smallint[], results text)`,
      [brandId, id, json],
    ),
  );
}

/** Records the lines of a new feed that were superseded within it, so that they are found by SKU and location [D120]. */
export function recordSupersededLines(tx: Transaction, { brandId, id }: Pick<Feed, 'brandId' | 'id'>): void {
  tx.queue(
    statement<never>(
      'record_superseded_lines',
      `insert into refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at)
       select l.brand_id, l.sku, l.location_code, l.feed_id, l.line, l.result, f.received_at
       from stock_feed_lines l
       join stock_feeds f on f.brand_id = l.brand_id and f.id = l.feed_id
       where l.brand_id = $1 and l.feed_id = $2 and l.result = 'superseded'`,
      [brandId, id],
    ),
  );
}

/** Returns the SQL of the number of failed lines of a feed that are left. */
export const leftOf = (brandId: string, feedId: string) =>
  `(select count(*) from open_feed_lines l where l.brand_id = ${brandId} and l.feed_id = ${feedId})`;

/**
 * The failed lines of a feed that are left: no later line, re-queue or correction has dealt with them. One counts with the last
 * feed that it failed in. Every figure of failed lines that are left is made of these.
 */
export const failedLinesLeft = {
  condition: (feed: string) => `${feed}.${hasRefusedLines}`,
  lines: (feed: string) => leftOf(`${feed}.brand_id`, `${feed}.id`),
};

/**
 * The version of a feed's report. Every transaction that writes a result into a line, or drops the lines, also writes the row
 * of the feed, so the last one (xmin) distinguishes all states.
 */
const feedVersion = `concat_ws('/', id, xmin, ${catalogIncarnation})`;

/** @throws ApiError `not_found`, for a feed of another brand too [catalog-114] */
export async function getFeed(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<{ feed: Feed; version: string }> {
  const [row] = await database.run(
    statement<Feed & { readonly version: string }>(
      'find_feed',
      `select ${feedColumns}, ${feedVersion} as version from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  if (row === undefined) throw notFound();
  const { version, ...feed } = row;
  return { feed, version };
}

/** Returns the version of a feed's report; null when the brand has no such feed. */
export async function findFeedVersion(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_feed_version',
      `select ${feedVersion} as version from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0]?.version ?? null;
}

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
