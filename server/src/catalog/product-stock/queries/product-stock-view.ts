import { notFound } from '../../../errors/api-error.ts';
import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import {
  type SelectionJson,
  selectionFromJson,
  selectionJson,
} from '../../axis-selection/queries/selection-json.ts';
import type { ProductView } from '../../product-records/product.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewJoins,
  productViewRows,
  productViewsFrom,
} from '../../product-records/queries/product-view.ts';
import type { StockLevel } from '../../stock/stock-level.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../../variants/queries/variants-json.ts';
import type { ProductStock } from '../product-stock.ts';

export interface ProductStockFilter {
  /** Filters the levels by a location's external code. */
  readonly location?: string;
  /** Filters the variants by a variant's `tu_id`. */
  readonly variant?: string;
}

interface Row extends BrandOfViews {
  readonly product: string;
  readonly selection: SelectionJson;
  readonly variants: VariantsJson;
  readonly stock_levels: readonly {
    readonly variant_id: number | null;
    readonly sku: string;
    readonly location_code: string;
    readonly quantity: number;
    readonly reserved: number;
    readonly source_updated_at: string;
    readonly updated_at: string;
  }[];
}

/**
 * Reads the stock of a product with that of its live variants, in one statement, so that all quantities are consistent.
 * Not on the shared connection: a product may have thousands of levels.
 * @throws ApiError `not_found` when the brand has no such product.
 */
export async function getProductStock(
  database: Database,
  brandId: number,
  productTuId: string,
  { location, variant }: ProductStockFilter,
): Promise<ProductStock> {
  const [row] = await database.run(
    statement<Row>(
      'get_product_stock',
      `select ${brandOfViewsColumns}, ${productViewRows.sql} as product, ${selectionJson} as selection,
         ${variantsJson({ conditions: 'and ($3::text is null or v.tu_id = $3)' })} as variants,
         (
           select coalesce(json_agg(json_build_object(
             'variant_id', l.variant_id, 'sku', l.sku, 'location_code', l.location_code, 'quantity', l.quantity,
             'reserved', l.reserved, 'source_updated_at', l.source_updated_at, 'updated_at', l.updated_at
           ) order by l.location_code), '[]')
           -- The product's levels first ("offset 0"): a location may have a hundred thousand.
           from (
             select l.variant_id, l.sku, l.location_code, l.quantity, l.reserved, l.source_updated_at, l.updated_at
             from stock_levels l
             where l.brand_id = p.brand_id and l.product_id = p.id and not l.is_hidden
             offset 0
           ) l
           where $4::text is null or l.location_code = $4
         ) as stock_levels
       from products p
       ${productViewJoins}
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId, variant ?? null, location ?? null],
      { long: true },
    ),
  );
  if (row === undefined) throw notFound();
  return productStockFromRow(row);
}

function productStockFromRow(row: Row): ProductStock {
  const [view] = productViewsFrom(row.product, row) as [ProductView];
  const { product, stock, availabilitySettings } = view;
  const variants = variantsFromJson(row.variants, selectionFromJson(row.selection));
  const levels = Map.groupBy(row.stock_levels, (level) => level.variant_id);
  const levelsOf = (variant: { id: number; tuId: string } | null): StockLevel[] =>
    (levels.get(variant?.id ?? null) ?? []).map((level) => ({
      sku: level.sku,
      productTuId: product.tuId,
      variantTuId: variant?.tuId ?? null,
      location: level.location_code,
      quantity: level.quantity,
      reserved: level.reserved,
      sourceUpdatedAt: new Date(level.source_updated_at),
      updatedAt: new Date(level.updated_at),
    }));
  return {
    productTuId: product.tuId,
    sku: product.sku,
    hasVariants: product.hasVariants,
    stock,
    availabilitySettings,
    levels: levelsOf(null),
    variants: variants.map((variant) => ({
      tuId: variant.tuId,
      sku: variant.sku,
      axisValues: variant.axisValues,
      isActive: variant.isActive,
      stock: variant.stock,
      levels: levelsOf(variant),
    })),
  };
}
