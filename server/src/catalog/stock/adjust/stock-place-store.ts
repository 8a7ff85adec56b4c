import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';

/** Where an adjustment goes, as far as it is known before anything is locked. */
export interface StockPlace {
  readonly productId: number;
  readonly hasVariants: boolean;
  /** null: no variant was named, or the product has no such live one. */
  readonly variantId: number | null;
  /** null: the brand has no location of this code. */
  readonly locationId: number | null;
  /** Levels are never deleted, so one that was there stays. */
  readonly hasLevel: boolean;
}

interface StockPlaceRow {
  product_id: number;
  has_variants: boolean;
  variant_id: number | null;
  location_id: number | null;
  has_level: boolean;
}

/** Looks up what an adjustment names; null when the brand has no such product. Locks nothing. */
export async function findStockPlace(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  variantTuId: string | null,
  locationCode: string,
): Promise<StockPlace | null> {
  const rows = await tx.run(
    statement<StockPlaceRow>(
      'find_stock_place',
      `select p.id as product_id, p.has_variants, v.id as variant_id, o.id as location_id,
         exists (
           select 1 from stock_levels l
           where l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id = v.id and l.location_id = o.id
         ) or $3::text is null and exists (
           select 1 from stock_levels l
           where l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id is null and l.location_id = o.id
         ) as has_level
       from products p
       left join variants v on v.brand_id = p.brand_id and v.product_id = p.id and v.tu_id = $3
         and v.deleted_at is null
       left join stock_locations o on o.brand_id = p.brand_id and o.external_code = $4
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId, variantTuId, locationCode],
    ),
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    productId: row.product_id,
    hasVariants: row.has_variants,
    variantId: row.variant_id,
    locationId: row.location_id,
    hasLevel: row.has_level,
  };
}
