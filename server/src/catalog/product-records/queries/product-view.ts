import {
  column,
  epochMs,
  epochMsOrInfinity,
  type JsonRowsValue,
  jsonRows,
  type RowOf,
} from '../../../postgres/json-rows.ts';
import type { Product, ProductView } from '../product.ts';
import { productFields } from '../product-columns.ts';

const viewColumns = {
  id: column<number>('p.id'),
  tuId: column<string>('p.tu_id'),
  hasVariants: column<boolean>('p.has_variants'),
  createdAt: epochMs('p.created_at'),
  updatedAt: epochMs('p.updated_at'),
  ...productFields.jsonColumns('p'),
  activeVariants: column<number>('p.active_variants'),
  inheritingVariants: column<number>('p.inheriting_variants'),
  ownPriceMin: column<number | null>('p.own_price_min'),
  ownPriceMax: column<number | null>('p.own_price_max'),
  totalQuantity: column<number>('s.total_quantity'),
  totalReserved: column<number>('s.total_reserved'),
  levels: column<number>(ofVariantsOrOwn('levels')),
  countedLevels: column<number>(ofVariantsOrOwn('counted_levels')),
  available: column<number>(ofVariantsOrOwn('available')),
  freshAt: epochMsOrInfinity(ofVariantsOrOwn('fresh_at')),
};

/** Products with their rollups, as the product queries select them from `products p` and `productViewJoins`. */
export const productViewRows = jsonRows(viewColumns);

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

export function productViewsFrom(products: JsonRowsValue, brand: BrandOfViews): ProductView[] {
  return productViewRows.read(products).map((row) => productViewFromRow(row, brand));
}

/** The view of a product that was read as `productViewRows.one`. */
export function productViewFrom(product: readonly unknown[], brand: BrandOfViews): ProductView {
  return productViewFromRow(productViewRows.readOne(product), brand);
}

function productViewFromRow(row: RowOf<typeof viewColumns>, brand: BrandOfViews): ProductView {
  const { freshAt } = row;
  return {
    product: productFromRow(row, brand.brand_id),
    prices: {
      activeVariants: row.activeVariants,
      inheritingVariants: row.inheritingVariants,
      ownPriceMin: row.ownPriceMin,
      ownPriceMax: row.ownPriceMax,
    },
    totalQuantity: row.totalQuantity,
    totalReserved: row.totalReserved,
    stock: {
      levels: row.levels,
      countedLevels: row.countedLevels,
      available: row.available,
      freshAt: freshAt === null ? null : Number(freshAt),
    },
    availabilitySettings: {
      lowStockThreshold: brand.low_stock_threshold,
      staleAfterHours: brand.stale_after_hours,
    },
  };
}

/** Without rest and spread, which take ten times as long for 28 columns. */
function productFromRow(row: RowOf<typeof viewColumns>, brandId: number): Product {
  const product: Record<string, unknown> = {
    brandId,
    id: row.id,
    tuId: row.tuId,
    hasVariants: row.hasVariants,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
  };
  for (const field of productFields.fieldNames) product[field] = row[field];
  return product as unknown as Product;
}
