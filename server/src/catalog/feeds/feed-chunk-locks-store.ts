import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { FeedInWork } from './feed-work-store.ts';
import { chunk, isLevelOfLine } from './queries/feed-chunk.ts';

/**
 * Keeps the locations that the chunk's lines name as they are until the transaction ends, and returns their ids. Comes
 * before the locks on products.
 */
export async function keepChunkLocations(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
): Promise<ReadonlySet<number>> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'keep_feed_chunk_locations',
      `select o.id from stock_locations o
       where o.brand_id = $1 and o.external_code in (with ${chunk} select c.location_code from chunk c)
       order by o.id
       for key share of o`,
      [brandId, id, nextLine],
    ),
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Where things were found when the products of a chunk were locked; texts of arrays, which are handed back to PostgreSQL
 * as they are.
 */
export interface LockedChunk {
  /** The locked products, and for each the place of its row of `product_stock`, which stays there under the lock. */
  readonly productIds: string;
  readonly stockPlaces: string;
  /**
   * For each line of the chunk the place of its level, (0,0) for none. As it was before the locks were waited for: a
   * level that is not there any more has to be looked up again.
   */
  readonly levelPlaces: string;
  /** Products that have no row of `product_stock`, and so could not be locked (`makeMissingProductStock`). */
  readonly productIdsWithoutStock: readonly number[];
}

/**
 * Has the rest of the transaction find rows by index or by place. Lines are written by their places in the table; the planner
 * would scan a table of tens of thousands of lines for each chunk instead, since that costs it no more than a thousand places
 * do by its reckoning, and no shape of an UPDATE keeps it from that.
 */
export function avoidScans(tx: Transaction): void {
  tx.send(statement<never>('avoid_scans', 'set local enable_seqscan = off', []));
}

/**
 * Locks the stock of the products that the chunk's lines name, in the order of their ids (as `lockProductStock`).
 */
export async function lockChunkProducts(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
): Promise<LockedChunk> {
  const rows = await tx.run(
    statement<{
      product_ids: string;
      stock_places: string;
      level_places: string;
      ids_without_stock: number[];
    }>(
      'lock_feed_chunk_products',
      `with ${chunk},
       named as materialized (
         -- The second and the third are only asked where the one before found nothing.
         select c.line, l.place, coalesce(
             l.product_id,
             (select p.id from products p where p.brand_id = $1 and p.sku = c.sku),
             (select v.product_id from variants v where v.brand_id = $1 and v.sku = c.sku)
           ) as product_id
         from chunk c
         left join lateral (
           select e.ctid as place, e.product_id from stock_levels e where ${isLevelOfLine} limit 1
         ) as l on true
       ),
       locked as (
         -- One look-up for each product, in the order of their ids: as a join, the rollups of the whole brand were read.
         select k.product_id, k.place
         from (select distinct n.product_id from named n where n.product_id is not null order by n.product_id) as i
         cross join lateral (
           select s.product_id, s.ctid as place from product_stock s
           where s.brand_id = $1 and s.product_id = i.product_id
           offset 0
           for update of s
         ) as k
       )
       select coalesce(k.product_ids, '{}')::text as product_ids, coalesce(k.places, '{}')::text as stock_places,
         (select array_agg(coalesce(n.place, '(0,0)') order by n.line) from named n)::text as level_places,
         (select coalesce(json_agg(x.product_id), '[]') from (
           select n.product_id from named n where n.product_id is not null except select l.product_id from locked l
         ) x) as ids_without_stock
       from (select array_agg(product_id) as product_ids, array_agg(place) as places from locked) as k`,
      [brandId, id, nextLine],
    ),
  );
  const row = rows[0] as NonNullable<(typeof rows)[0]>;
  return {
    productIds: row.product_ids,
    stockPlaces: row.stock_places,
    levelPlaces: row.level_places,
    productIdsWithoutStock: row.ids_without_stock,
  };
}
