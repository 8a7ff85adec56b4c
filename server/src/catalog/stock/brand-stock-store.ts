import type { BrandLock } from '../../api/operation.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** A brand's stock lock, held to the end of the transaction. Only `lockStock` returns one. */
class StockLock {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  /** The levels that adjustments have changed so far: `stockLock` records them. */
  readonly levelIds: number[] = [];
  readonly brandId: number;
  /** The number of this transaction among those that changed the brand's stock. */
  readonly version: number;
  /** The `updated_at` of every level that the transaction writes: later than that of every change committed before. */
  readonly stampedAt: Date;
  /** The database's time. */
  readonly now: Date;

  constructor(tx: Transaction, row: LockRow) {
    this.#tx = tx;
    this.brandId = row.brand_id;
    this.version = row.version + 1;
    this.stampedAt = row.stamped_at;
    this.now = row.now;
  }

  get tx(): Transaction {
    return this.#tx;
  }
}

export type { StockLock };

interface LockRow {
  readonly brand_id: number;
  readonly version: number;
  readonly stamped_at: Date;
  readonly now: Date;
}

/** The lock of the writes of stock and its locations. */
export const stockLock: BrandLock<StockLock> = {
  name: 'stock',
  take: lockStock,
  finish: (stock) => {
    if (stock.levelIds.length > 0) noteStockChange(stock, stock.levelIds);
  },
};

/**
 * Locks the stock of a brand until the transaction ends. Every write of a level, or of what makes one count, holds this lock, so
 * that all that is read after it is current and `updated_at` of levels follows the order of commits [D217]. Lock order: catalog,
 * stock.
 */
export async function lockStock(tx: Transaction, brandId: number): Promise<StockLock> {
  const [row] = await tx.run(
    statement<LockRow>(
      'lock_stock',
      `select s.brand_id, s.version, greatest(m.now, s.changed_at + interval '1 millisecond') as stamped_at, m.now
       from brand_stocks s
       cross join (select now_ms() as now offset 0) m
       where s.brand_id = $1
       for no key update of s`,
      [brandId],
    ),
  );
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  return new StockLock(tx, row);
}

/**
 * Records a change of stock and the levels that it changed [catalog-120]. Every transaction that changes stock calls this once,
 * at its end; sent with the commit. One without changed levels is recorded too: a client's position in the changes is
 * recognised by when its version was written [D222].
 */
export function noteStockChange(
  { tx, brandId, version, stampedAt }: StockLock,
  levelIds: readonly number[],
): void {
  tx.queue(
    statement<never>(
      'note_stock_change',
      `with counted as (
         update brand_stocks set version = $2, changed_at = $3 where brand_id = $1
       )
       insert into stock_changes (brand_id, version, changed_at, level_ids) values ($1, $2, $3, $4)`,
      [brandId, version, stampedAt, levelIds],
    ),
  );
}

/**
 * Drops up to `limit` old records of changed levels, the oldest first, and returns their number; less: none are left
 * [catalog-121]. Waits for a transaction that drops the same: were later records of a brand dropped first, a client at the
 * earlier ones would miss them.
 */
export async function dropStockChanges(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_stock_changes',
      `with old as (
         select ctid from stock_changes where changed_at < $1 order by changed_at limit $2 for update
       ), gone as (
         delete from stock_changes c using old where c.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}

/** The stored columns of the view `product_stock_truth`. */
export const rollupColumns = [
  'total_quantity',
  'total_reserved',
  'own_levels',
  'own_counted_levels',
  'own_available',
  'own_fresh_at',
  'variant_levels',
  'variant_counted_levels',
  'variant_available',
  'variant_fresh_at',
] as const;

/**
 * Rewrites rows unchanged, for changes that change no sum: their `xmin` shows clients that poll that the stock has changed.
 * Sent with the next statement.
 */
export function touchProductStock({ tx, brandId }: StockLock, productIds: readonly number[]): void {
  tx.queue(
    statement<never>(
      'touch_product_stock',
      `update product_stock set total_quantity = total_quantity
       where brand_id = $1 and product_id = any($2::bigint[])`,
      [brandId, productIds],
    ),
  );
}

/**
 * Recomputes the rollups of products; also creates a row that damage has removed. Sent with the next statement. The view is
 * queried for one product after the other ("offset 0"), some 100 µs each: a plain join is quadratic without statistics.
 */
export function refreshProductStock({ tx, brandId }: StockLock, productIds: readonly number[]): void {
  tx.queue(
    statement<never>(
      'refresh_product_stock',
      `insert into product_stock as s (brand_id, product_id, ${rollupColumns.join(', ')})
       select $1, i.product_id, ${rollupColumns.map((column) => `t.${column}`).join(', ')}
       from unnest($2::bigint[]) as i (product_id)
       cross join lateral (
         select ${rollupColumns.join(', ')} from product_stock_truth
         where brand_id = $1 and product_id = i.product_id
         offset 0
       ) as t
       on conflict (brand_id, product_id) do update
       set ${rollupColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [brandId, productIds],
    ),
  );
}
