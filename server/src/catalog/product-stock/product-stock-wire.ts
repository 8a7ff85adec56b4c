import { type Static, Type } from 'typebox';
import {
  type AvailabilitySettings,
  availabilityStatus,
  availabilityStatuses,
  type StockSum,
} from '../stock/availability.ts';
import { StockLevelWire, stockLevelToWire } from '../stock/stock-level-wire.ts';
import type { ProductStock } from './queries/product-stock-view.ts';

const AvailabilityWire = Type.Object({
  status: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...availabilityStatuses, null],
    description: 'null if there is no stock level.',
  }),
  quantity: Type.Integer({ minimum: 0, description: 'The quantity available at active locations.' }),
});

export const ProductStockWire = Type.Object({
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

/** Converts the view; `now` is in milliseconds since the Unix epoch. */
export function productStockToWire(product: ProductStock, now: number): Static<typeof ProductStockWire> {
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
