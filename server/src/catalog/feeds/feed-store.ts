import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
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

/**
 * Inserts a feed without its lines; null when the brand has one of this batch. Waits for a transaction that inserts the same.
 */
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
export function noteSupersededLines(tx: Transaction, { brandId, id }: Pick<Feed, 'brandId' | 'id'>): void {
  tx.queue(
    statement<never>(
      'note_superseded_lines',
      `insert into refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at)
       select l.brand_id, l.sku, l.location_code, l.feed_id, l.line, l.result, f.received_at
       from stock_feed_lines l
       join stock_feeds f on f.brand_id = l.brand_id and f.id = l.feed_id
       where l.brand_id = $1 and l.feed_id = $2 and l.result = 'superseded'`,
      [brandId, id],
    ),
  );
}

/** The refused lines of a feed that no later line has replaced, which count with the last feed that was refused [D120]. */
export const openRefusedLines = {
  condition: (feed: string) => `${feed}.${hasRefusedLines}`,
  lines: (feed: string) =>
    `(select count(*) from open_feed_lines l where l.brand_id = ${feed}.brand_id and l.feed_id = ${feed}.id)`,
};
