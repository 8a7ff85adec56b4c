import { statement } from '../../postgres/statement.ts';
import type { StockLock } from './brand-stock-store.ts';

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
