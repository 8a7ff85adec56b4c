import { statement, withMicrosSql } from '../../postgres/statement.ts';
import type { StockLock } from './brand-stock-store.ts';

/** The time of the source of a level `l`. */
export const levelTimeSql = withMicrosSql('l.source_updated_at', 'l.source_micros');

/**
 * Writes a new SKU to the levels of a product (`variantId` null) or variant, and returns their ids. Movements keep theirs. Lock
 * the stock before the new SKU is written: an adjustment that holds the lock may still wait to reference the product's or the
 * variant's row, which a new SKU locks.
 */
export async function renameStockLevels(
  { tx, brandId, stampedAt }: StockLock,
  renamed: { readonly productId: number; readonly variantId: number | null; readonly sku: string },
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'rename_stock_levels',
      `update stock_levels set sku = $4, updated_at = $5
       where brand_id = $1 and product_id = $2 and variant_id is not distinct from $3
       returning id`,
      [brandId, renamed.productId, renamed.variantId, renamed.sku, stampedAt],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * Hides the levels of a variant and returns their ids: they keep quantities and ledger, and appear nowhere. Refresh the
 * product's stock afterwards (`refreshProductStock`).
 */
export async function hideVariantLevels(
  { tx, brandId, stampedAt }: StockLock,
  variantId: number,
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'hide_variant_levels',
      `update stock_levels l set is_hidden = true, updated_at = $3
       where l.brand_id = $1 and l.variant_id = $2
         and l.product_id = (select v.product_id from variants v where v.brand_id = $1 and v.id = $2)
       returning l.id`,
      [brandId, variantId, stampedAt],
    ),
  );
  return rows.map(({ id }) => id);
}
