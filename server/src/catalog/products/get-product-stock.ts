import { type Static, Type } from 'typebox';
import { ExactFilter, exampleIds, NamedObject } from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Database } from '../../postgres/database.ts';
import { sourceTimeSql, statement } from '../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { selectionJson } from '../axis-selection/axis-selection-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import {
  type AvailabilitySettings,
  availabilityStatus,
  availabilityStatuses,
  type StockLevel,
  type StockSum,
} from '../stock/stock-level.ts';
import { levelTimeSql } from '../stock/stock-level-store.ts';
import { StockLevelWire, stockExample, stockLevelToWire } from '../stock/stock-wire.ts';
import type { VariantView } from '../variants/variant.ts';
import { type VariantsJson, variantsFromJson, variantsJson } from '../variants/variant-store.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewFrom,
  productViewJoins,
  productViewRows,
} from './product-store.ts';

const AvailabilityWire = Type.Object({
  status: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...availabilityStatuses, null],
    description: 'null if there is no stock level.',
  }),
  quantity: Type.Integer({ minimum: 0, description: 'The quantity available at active locations.' }),
});

export const ProductStockWire = NamedObject('ProductStock', {
  product_tu_id: Type.String(),
  sku: Type.String(),
  has_variants: Type.Boolean(),
  availability: Type.Object(AvailabilityWire.properties, {
    description:
      'For the whole product: the total of its active variants if it has variants, otherwise its own stock.',
  }),
  levels: Type.Array(StockLevelWire, { description: 'The product’s own stock, ordered by location.' }),
  variants: Type.Array(
    Type.Object({
      tu_id: Type.String(),
      sku: Type.String(),
      axis_values: Type.Unsafe<Record<string, string>>({
        type: 'object',
        description: 'Axis code to value.',
        additionalProperties: { type: 'string' },
      }),
      is_active: Type.Boolean(),
      availability: AvailabilityWire,
      levels: Type.Array(StockLevelWire, { description: 'Ordered by location.' }),
    }),
    { description: 'The live variants, ordered by position, including inactive ones.' },
  ),
});

/** Returns the levels of the product and of its live variants [catalog-83]. */
export const getProductStockOperation = readOperation({
  id: 'getProductStock',
  method: 'GET',
  path: '/products/:tuId/stock',
  tag: 'Stock',
  summary: 'Get the stock of a product',
  description: `Returns every level of the product and of its live variants, with totals. The filters narrow the result: \`location\` the levels,
\`variant\` the variants. \`availability\` always covers the whole product or variant.`,
  access: ['catalog.stock:read'],
  params: ProductParams,
  query: Type.Object({
    location: ExactFilter({
      description: 'The `external_code` of a location; an unknown one returns no levels.',
      examples: ['WH-BERLIN'],
    }),
    variant: ExactFilter({
      description: 'The `tu_id` of a variant of this product; an unknown one returns no variants.',
      examples: [exampleIds.variant],
    }),
  }),
  responses: {
    200: {
      description: 'The stock of the product.',
      schema: ProductStockWire,
      example: stockExample.productStock,
    },
  },
  handle: async ({ database, clock }, { caller, params, query }) => {
    const stock = await getProductStock(database, caller.brandId, params.tuId, query);
    return { status: 200, body: productStockToWire(stock, clock.now()) };
  },
});

/** The stock of a product as one view: its own and that of its live variants [catalog-83]. */
interface ProductStock {
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

interface VariantStock extends VariantView {
  readonly levels: readonly StockLevel[];
}

/** Converts the view; `now` is in milliseconds since the Unix epoch. */
function productStockToWire(product: ProductStock, now: number): Static<typeof ProductStockWire> {
  const { availabilitySettings } = product;
  return {
    product_tu_id: product.productTuId,
    sku: product.sku,
    has_variants: product.hasVariants,
    availability: availabilityToWire(product.stock, availabilitySettings, now),
    levels: product.levels.map(stockLevelToWire),
    variants: product.variants.map((variant) => ({
      tu_id: variant.tuId,
      sku: variant.sku,
      axis_values: variant.axisValues,
      is_active: variant.isActive,
      availability: availabilityToWire(variant.stock, availabilitySettings, now),
      levels: variant.levels.map(stockLevelToWire),
    })),
  };
}

function availabilityToWire(stock: StockSum, settings: AvailabilitySettings, now: number) {
  return { status: availabilityStatus(stock, settings, now), quantity: stock.available };
}

interface ProductStockFilter {
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
