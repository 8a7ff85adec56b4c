import { packed, packRows, type UnpackedRow, valueAt } from '../../../postgres/packed-rows.ts';
import type { AvailabilitySettings } from '../../stock/availability.ts';
import type { ProductView } from '../product.ts';
import { packedProduct, productAt } from '../product-columns.ts';

/** Products with their rollups, as the product queries select them from `products p` and `productViewJoins`. */
export const productViewRows = packRows({
  ...packedProduct,
  activeVariants: packed.number('p.active_variants'),
  inheritingVariants: packed.number('p.inheriting_variants'),
  ownPriceMin: packed.numberOrNull('p.own_price_min'),
  ownPriceMax: packed.numberOrNull('p.own_price_max'),
  totalQuantity: packed.number('s.total_quantity'),
  totalReserved: packed.number('s.total_reserved'),
  levels: packed.number(ofVariantsOrOwn('levels')),
  countedLevels: packed.number(ofVariantsOrOwn('counted_levels')),
  available: packed.number(ofVariantsOrOwn('available')),
  freshAt: packed.instantOrNull(ofVariantsOrOwn('fresh_at')),
});

function ofVariantsOrOwn(figure: string): string {
  return `case when p.has_variants then s.variant_${figure} else s.own_${figure} end`;
}

export const productStockJoin = 'join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id';

/** The joins that follow `from products p` (or a subquery joined to it). */
export const productViewJoins = `${productStockJoin}
  join brands b on b.id = p.brand_id`;

/** The columns of a BrandOfViews, from `brands b`. */
export const brandOfViewsColumns = 'b.id as brand_id, b.low_stock_threshold, b.stale_after_hours';

export interface BrandOfViews {
  readonly brand_id: number;
  readonly low_stock_threshold: number;
  readonly stale_after_hours: number | null;
}

export function productViewsFrom(packedRows: string, brand: BrandOfViews): ProductView[] {
  const availabilitySettings = {
    lowStockThreshold: brand.low_stock_threshold,
    staleAfterHours: brand.stale_after_hours,
  };
  return productViewRows
    .unpack(packedRows)
    .map((row) => productViewFromRow(row, brand.brand_id, availabilitySettings));
}

const { at } = productViewRows;

function productViewFromRow(
  row: UnpackedRow,
  brandId: number,
  availabilitySettings: AvailabilitySettings,
): ProductView {
  return {
    product: productAt(row, at, brandId),
    prices: {
      activeVariants: valueAt(row, at.activeVariants),
      inheritingVariants: valueAt(row, at.inheritingVariants),
      ownPriceMin: valueAt(row, at.ownPriceMin),
      ownPriceMax: valueAt(row, at.ownPriceMax),
    },
    totalQuantity: valueAt(row, at.totalQuantity),
    totalReserved: valueAt(row, at.totalReserved),
    stock: {
      levels: valueAt(row, at.levels),
      countedLevels: valueAt(row, at.countedLevels),
      available: valueAt(row, at.available),
      freshAt: valueAt(row, at.freshAt),
    },
    availabilitySettings,
  };
}
