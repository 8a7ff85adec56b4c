import type { ProductView } from '../product.ts';
import { type ProductRow, productColumns, productFromRow } from '../product-store.ts';

/** A product with its rollups and the brand's availability settings, as the product queries select it. */
export interface ProductViewRow extends ProductRow {
  readonly active_variants: number;
  readonly inheriting_variants: number;
  readonly own_price_min: string | null;
  readonly own_price_max: string | null;
  readonly total_quantity: number;
  readonly total_reserved: number;
  readonly levels: number;
  readonly counted_levels: number;
  readonly available: number;
  /** `infinity` is parsed as a number. */
  readonly fresh_at: Date | number | null;
  readonly low_stock_threshold: number;
  readonly stale_after_hours: number | null;
}

export const productViewColumns = `${productColumns}, p.active_variants, p.inheriting_variants, p.own_price_min,
  p.own_price_max, s.total_quantity, s.total_reserved,
  case when p.has_variants then s.variant_levels else s.own_levels end as levels,
  case when p.has_variants then s.variant_counted_levels else s.own_counted_levels end as counted_levels,
  case when p.has_variants then s.variant_available else s.own_available end as available,
  case when p.has_variants then s.variant_fresh_at else s.own_fresh_at end as fresh_at,
  b.low_stock_threshold, b.stale_after_hours`;

/** The joins that follow `from products p` (or a subquery joined to it). */
export const productViewJoins = `join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
  join brands b on b.id = p.brand_id`;

export function productViewFromRow(row: ProductViewRow): ProductView {
  return {
    product: productFromRow(row),
    prices: {
      activeVariants: row.active_variants,
      inheritingVariants: row.inheriting_variants,
      ownPriceMin: row.own_price_min === null ? null : Number(row.own_price_min),
      ownPriceMax: row.own_price_max === null ? null : Number(row.own_price_max),
    },
    totalQuantity: row.total_quantity,
    totalReserved: row.total_reserved,
    stock: {
      levels: row.levels,
      countedLevels: row.counted_levels,
      available: row.available,
      freshAt: millisecondsOf(row.fresh_at),
    },
    availabilitySettings: {
      lowStockThreshold: row.low_stock_threshold,
      staleAfterHours: row.stale_after_hours,
    },
  };
}

/** Converts a timestamp of PostgreSQL to milliseconds since the Unix epoch; `infinity` is a number already. */
function millisecondsOf(value: Date | number | null): number | null {
  return value instanceof Date ? value.getTime() : value;
}
