import { packed, packRows, type UnpackedRow, valueAt } from '../../../postgres/packed-rows.ts';
import type { AvailabilitySettings } from '../../stock/availability.ts';
import type { ProductTranslations, ProductView } from '../product.ts';

/** Products with their rollups, as the product queries select them from `products p` and `productViewJoins`. */
export const productViewRows = packRows({
  id: packed.number('p.id'),
  tuId: packed.code('p.tu_id'),
  sku: packed.text('p.sku'),
  type: packed.code<'simple'>('p.type'),
  title: packed.text('p.title'),
  shortDescription: packed.textOrNull('p.short_description'),
  defaultLanguage: packed.code('p.default_language'),
  translations: packed.json<ProductTranslations>('p.versions'),
  priceValue: packed.number('p.price_value'),
  priceCurrency: packed.code('p.price_currency'),
  taxClass: packed.text('p.tax_class'),
  isActive: packed.boolean('p.is_active'),
  hasVariants: packed.boolean('p.has_variants'),
  createdAt: packed.instant('p.created_at'),
  updatedAt: packed.instant('p.updated_at'),
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

/** The values that all products of a brand share. */
export interface BrandOfViews {
  readonly brand_id: number;
  readonly low_stock_threshold: number;
  readonly stale_after_hours: number | null;
}

/** Reads products that were selected as `productViewRows`. */
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
    product: {
      brandId,
      id: valueAt(row, at.id),
      tuId: valueAt(row, at.tuId),
      sku: valueAt(row, at.sku),
      type: valueAt(row, at.type),
      title: valueAt(row, at.title),
      shortDescription: valueAt(row, at.shortDescription),
      defaultLanguage: valueAt(row, at.defaultLanguage),
      translations: valueAt(row, at.translations),
      priceValue: valueAt(row, at.priceValue),
      priceCurrency: valueAt(row, at.priceCurrency),
      taxClass: valueAt(row, at.taxClass),
      isActive: valueAt(row, at.isActive),
      hasVariants: valueAt(row, at.hasVariants),
      createdAt: new Date(valueAt(row, at.createdAt)),
      updatedAt: new Date(valueAt(row, at.updatedAt)),
    },
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
