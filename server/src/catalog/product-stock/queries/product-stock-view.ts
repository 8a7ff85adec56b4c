import { notFound } from '../../../errors/api-error.ts';
import type { Database } from '../../../postgres/database.ts';
import { sourceTimeSql, statement } from '../../../postgres/statement.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { selectionJson } from '../../axis-selection/axis-selection-store.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewFrom,
  productViewJoins,
  productViewRows,
} from '../../product-records/queries/product-view.ts';
import type { AvailabilitySettings, StockSum } from '../../stock/availability.ts';
import type { StockLevel } from '../../stock/stock-level.ts';
import { levelTimeSql } from '../../stock/stock-level-store.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../../variants/queries/variants-json.ts';
import type { VariantView } from '../../variants/variant.ts';

export interface ProductStockFilter {
  /** Filters the levels by a location's external code. */
  readonly location?: string | undefined;
  /** Filters the variants by a variant's `tu_id`. */
  readonly variant?: string | undefined;
}

interface Row extends BrandOfViews {
  readonly product: readonly unknown[];
  readonly selection: AxisSelection;
  readonly variants: VariantsJson;
  readonly levels: readonly (Pick<
    StockLevel,
    'sku' | 'location' | 'quantity' | 'reserved' | 'sourceUpdatedAt'
  > & {
    readonly variantId: number | null;
    readonly updatedAt: string;
  })[];
}

/**
 * Reads the stock of a product and its live variants in one statement. Not on the shared connection: a product may have
 * thousands of levels.
 * @throws ApiError `not_found` when the brand has no such product
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
      `select ${brandOfViewsColumns}, ${productViewRows.one} as product, ${selectionJson} as selection,
         ${variantsJson({ conditions: 'and ($3::text is null or v.tu_id = $3)' })} as variants,
         (
           select coalesce(json_agg(json_build_object(
             'variantId', l.variant_id, 'sku', l.sku, 'location', l.location_code, 'quantity', l.quantity,
             'reserved', l.reserved, 'sourceUpdatedAt', ${sourceTimeSql(levelTimeSql)}, 'updatedAt', l.updated_at
           ) order by l.location_code), '[]')
           -- The product's levels first ("offset 0"): a location may have a hundred thousand.
           from (
             select l.variant_id, l.sku, l.location_code, l.quantity, l.reserved, l.source_updated_at,
               l.source_micros, l.updated_at
             from stock_levels l
             where l.brand_id = p.brand_id and l.product_id = p.id and not l.is_hidden
             offset 0
           ) l
           where $4::text is null or l.location_code = $4
         ) as levels
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
  const { product, stock, availabilitySettings } = productViewFrom(row.product, row);
  const variants = variantsFromJson(row.variants, row.selection);
  const levels = Map.groupBy(row.levels, ({ variantId }) => variantId);
  const levelsOf = (variant: { id: number; tuId: string } | null): StockLevel[] =>
    (levels.get(variant?.id ?? null) ?? []).map(({ variantId: _, updatedAt, ...level }) => ({
      ...level,
      productTuId: product.tuId,
      variantTuId: variant?.tuId ?? null,
      updatedAt: new Date(updatedAt),
    }));
  return {
    productTuId: product.tuId,
    sku: product.sku,
    hasVariants: product.hasVariants,
    stock,
    availabilitySettings,
    levels: levelsOf(null),
    variants: variants.map((variant) => ({ ...variant, levels: levelsOf(variant) })),
  };
}

/** The stock of a product as one view: its own and that of its live variants [catalog-83]. */
export interface ProductStock {
  readonly productTuId: string;
  readonly sku: string;
  readonly hasVariants: boolean;
  /** The sum over the whole product, regardless of the view's filters [catalog-84]. */
  readonly stock: StockSum;
  readonly availabilitySettings: AvailabilitySettings;
  /** The product's own levels, by location. */
  readonly levels: readonly StockLevel[];
  readonly variants: readonly VariantStock[];
}

export interface VariantStock extends VariantView {
  readonly levels: readonly StockLevel[];
}
