import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * The stock of some products of a brand, locked to the end of the transaction. Only `lockProductStock` returns one: a
 * function that takes it cannot be called without the lock.
 */
class LockedStock {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  readonly brandId: number;
  readonly productIds: readonly number[];

  constructor(tx: Transaction, brandId: number, productIds: readonly number[]) {
    this.#tx = tx;
    this.brandId = brandId;
    this.productIds = productIds;
  }

  get tx(): Transaction {
    return this.#tx;
  }
}

export type StockWrite = LockedStock;

/**
 * Locks the stock of products until the transaction ends, in the order of their ids. Every operation that changes a
 * level of these products, or whether one counts, calls this first (or locks the rows itself: `stockKernel`), and
 * writes the rows before the commit, with `refreshProductStock` or `touchProductStock`. Ids of another brand or of no
 * product lock nothing; a missing row is created (`makeMissingProductStock`).
 */
export async function lockProductStock(
  tx: Transaction,
  brandId: number,
  productIds: readonly number[],
): Promise<StockWrite> {
  const locked = await lockRows(tx, brandId, productIds);
  if (locked.size < new Set(productIds).size) {
    const missing = productIds.filter((id) => !locked.has(id));
    await makeMissingProductStock(tx, brandId, missing);
    // Another transaction may have created some of them, and unlocked them with its commit.
    await lockRows(tx, brandId, missing);
  }
  return new LockedStock(tx, brandId, productIds);
}

async function lockRows(
  tx: Transaction,
  brandId: number,
  productIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx.run(
    statement<{ product_id: number }>(
      'lock_product_stock',
      `select product_id from product_stock
       where brand_id = $1 and product_id = any($2::bigint[])
       order by product_id
       for update`,
      [brandId, productIds],
    ),
  );
  return new Set(rows.map((row) => row.product_id));
}

/**
 * Creates missing rows of `product_stock` from the levels of their products, which also locks them. Only damage leaves
 * a product without its row: it is created with the product and never deleted. The row depends only on the levels, so
 * creating it is correct at any time. Every transaction that writes a level first creates the row or waits for the one
 * that does (`changeStock`, `lockProductStock`, feeds), and the sums are read after that wait: no change is missed.
 * Waits for another transaction that creates one of the rows. Ignores ids of another brand or of no product.
 */
export async function makeMissingProductStock(
  tx: Transaction,
  brandId: number,
  productIds: readonly number[],
): Promise<void> {
  const rows = await tx.run(
    statement<{ product_id: number }>(
      'insert_missing_product_stock',
      `insert into product_stock (brand_id, product_id)
       select p.brand_id, p.id from products p where p.brand_id = $1 and p.id = any($2::bigint[])
       order by p.id
       on conflict (brand_id, product_id) do nothing
       returning product_id`,
      [brandId, productIds],
    ),
  );
  const made = rows.map((row) => row.product_id);
  // The inserted rows are locked by this transaction.
  if (made.length > 0) await refreshProductStock(new LockedStock(tx, brandId, made));
}

/**
 * Rewrites the rows of the products unchanged, for a change of levels that changes no sum: the row's `xmin` shows
 * clients that poll the products, and `stockKernel`, that their stock has changed.
 */
export async function touchProductStock({ tx, brandId, productIds }: StockWrite): Promise<void> {
  await tx.run(
    statement<never>(
      'touch_product_stock',
      `update product_stock set total_quantity = total_quantity
       where brand_id = $1 and product_id = any($2::bigint[])`,
      [brandId, productIds],
    ),
  );
}

/**
 * Recomputes the stock rollups of products from their levels, in one statement, after the changes of the levels.
 *
 * The view is queried for one product after the other ("offset 0" keeps the planner from reordering): some 100
 * microseconds each with 7 levels. A plain join is a little faster when the tables have statistics, and quadratic when
 * they do not yet, after a load.
 */
export async function refreshProductStock({ tx, brandId, productIds }: StockWrite): Promise<void> {
  await tx.run(
    statement<never>(
      'refresh_product_stock',
      `update product_stock s
       set total_quantity = t.total_quantity, total_reserved = t.total_reserved,
         own_levels = t.own_levels, own_counted_levels = t.own_counted_levels,
         own_available = t.own_available, own_fresh_at = t.own_fresh_at,
         variant_levels = t.variant_levels, variant_counted_levels = t.variant_counted_levels,
         variant_available = t.variant_available, variant_fresh_at = t.variant_fresh_at
       from unnest($2::bigint[]) as i (product_id)
       cross join lateral (
         select total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at,
           variant_levels, variant_counted_levels, variant_available, variant_fresh_at
         from product_stock_truth where brand_id = $1 and product_id = i.product_id
         offset 0
       ) as t
       where s.brand_id = $1 and s.product_id = i.product_id`,
      [brandId, productIds],
    ),
  );
}
