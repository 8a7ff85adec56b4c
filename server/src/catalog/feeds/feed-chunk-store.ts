import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { LineResult, ResultCounts } from './feed.ts';

/** A feed that is being applied. */
export interface FeedInWork {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  /** Where the next chunk begins. */
  readonly nextLine: number;
}

/** Any number that no other two-key advisory lock of the database uses; the second key is the brand. */
const feedLockSpace = 4_217_732;

/**
 * Makes this transaction the one that applies the brand's feeds, until it ends; false when another one does. Never
 * waits.
 */
export async function tryLockBrandFeeds(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>('try_lock_brand_feeds', 'select pg_try_advisory_xact_lock($1, $2) as locked', [
      feedLockSpace,
      brandId,
    ]),
  );
  return rows[0]?.locked === true;
}

/** The feed whose turn it is: the first received of those that are not finished. */
export async function findNextFeed(tx: Transaction, brandId: number): Promise<FeedInWork | null> {
  const rows = await tx.run(
    statement<{ id: number; tu_id: string; next_line: number }>(
      'find_next_feed',
      `select id, tu_id, next_line from stock_feeds
       where brand_id = $1 and finished_at is null
       order by id
       limit 1`,
      [brandId],
    ),
  );
  const row = rows[0];
  return row === undefined ? null : { brandId, id: row.id, tuId: row.tu_id, nextLine: row.next_line };
}

/**
 * Locks the stock of the products that the chunk's lines name, in the order of their ids (as `lockProductStock`), and
 * answers the ids.
 */
export async function lockChunkProducts(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
): Promise<ReadonlySet<number>> {
  const rows = await tx.run(
    statement<{ product_id: number }>(
      'lock_feed_chunk_products',
      `select s.product_id from product_stock s
       where s.brand_id = $1 and s.product_id in (
         with chunk as materialized (
           select l.sku from stock_feed_lines l
           where l.brand_id = $1 and l.feed_id = $2 and l.line >= $3 and l.line < $3 + ${chunkLines}
             and l.result is null
           limit ${chunkLines}
         )
         select p.id from chunk c join products p on p.brand_id = $1 and p.sku = c.sku
         union all
         select v.product_id from chunk c join variants v on v.brand_id = $1 and v.sku = c.sku
       )
       order by s.product_id
       for update of s`,
      [brandId, id, nextLine],
    ),
  );
  return new Set(rows.map((row) => row.product_id));
}

/** Lines that are decided and written in one transaction. */
export const chunkLines = 1_000;

export interface DecidedChunk {
  readonly counts: ResultCounts;
  /** Whose stock was written. */
  readonly productIds: readonly number[];
  /** Those of them whose rollup has to be worked out anew. */
  readonly stalestProductIds: readonly number[];
}
