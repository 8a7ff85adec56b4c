import { statement } from '../../postgres/statement.ts';
import type { StockWrite } from './product-stock-store.ts';

/**
 * Writes the new SKU of a renamed product (`variantId` null: its own levels) or variant to its levels, which store it
 * for the order of the level list. Movements keep the SKU that they were written with. The rollups do not depend on it.
 * Lock the stock before the new SKU is written: an adjustment that holds the lock may still wait to reference the
 * product's or the variant's row, which a new SKU locks.
 */
export function renameStockLevels(
  { tx, brandId, productIds }: StockWrite,
  variantId: number | null,
  sku: string,
): void {
  tx.queue(
    statement<never>(
      'rename_stock_levels',
      `update stock_levels set sku = $4
       where brand_id = $1 and product_id = any($2::bigint[]) and variant_id is not distinct from $3`,
      [brandId, productIds, variantId, sku],
    ),
  );
}

/**
 * Hides the levels of a variant that is being deleted: they keep their quantities and their ledger, and appear nowhere.
 * The product's stock must be refreshed afterwards (`refreshProductStock`).
 */
export function hideVariantLevels({ tx, brandId }: StockWrite, variantId: number): void {
  tx.queue(
    statement<never>(
      'hide_variant_levels',
      `update stock_levels l set is_hidden = true
       where l.brand_id = $1 and l.variant_id = $2
         and l.product_id = (select v.product_id from variants v where v.brand_id = $1 and v.id = $2)`,
      [brandId, variantId],
    ),
  );
}
