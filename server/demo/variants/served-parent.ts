import type { LibraryAxis } from '../axes/axis-library.ts';
import { servedChoice } from '../axes/create-axes.ts';
import { Exactly } from '../compare.ts';
import type { Parent, Variant, VariantSource } from './parent.ts';

/** The brand's state, as far as the reads of a product show it. */
export interface CatalogState {
  readonly axisLibrary: readonly LibraryAxis[];
  readonly lowStockThreshold: number;
  /** The only location of stock. */
  readonly location: string;
  /** SKU -> quantity; a SKU without a stock level is not in it. Nothing is reserved. */
  readonly quantities: ReadonlyMap<string, number>;
}

/** The product's detail. */
export function servedDetail(parent: Parent, state: CatalogState): object {
  const { body, variants } = parent;
  const { status, quantity } = availabilityOf(
    variants.map(({ sku }) => state.quantities.get(sku) ?? null),
    state.lowStockThreshold,
  );
  const prices = variants.map(({ price }) => price ?? body.price_value);
  return {
    ...Object.fromEntries(Object.entries(body).map(([field, value]) => [field, new Exactly(value)])),
    tu_id: parent.tuId,
    has_variants: variants.length > 0,
    price_range:
      prices.length === 0
        ? null
        : { min: Math.min(...prices), max: Math.max(...prices), currency: body.price_currency },
    availability: { status },
    stock_summary: { total_quantity: quantity, total_reserved: 0 },
    axes: servedChoice(state.axisLibrary, parent.choice),
    variants: servedVariants(parent, state),
  };
}

/** The product's variants in their order. */
export function servedVariants(parent: Parent, { quantities, lowStockThreshold }: CatalogState): object[] {
  return parent.variants.map((variant, position) =>
    servedVariant(parent, variant, position, {
      quantity: quantities.get(variant.sku) ?? null,
      lowStockThreshold,
    }),
  );
}

export interface VariantStock {
  /** null: no stock level. */
  readonly quantity: number | null;
  readonly lowStockThreshold: number;
}

/** The variant, with its id if known. */
export function servedVariant(
  { body }: Pick<Parent, 'body'>,
  variant: VariantSource | Variant,
  position: number,
  { quantity, lowStockThreshold }: VariantStock,
): object {
  const { sku, axisValues, price } = variant;
  return {
    ...('tuId' in variant && { tu_id: variant.tuId }),
    sku,
    barcode: null,
    axis_values: new Exactly(axisValues),
    price: { value: price ?? body.price_value, currency: body.price_currency, inherited: price === null },
    position,
    is_active: true,
    availability: availabilityOf([quantity], lowStockThreshold),
  };
}

/** The product's stock view. */
export function servedStock(parent: Parent, state: CatalogState): object {
  const { location, quantities, lowStockThreshold } = state;
  const all = parent.variants.map(({ sku }) => quantities.get(sku) ?? null);
  return {
    product_tu_id: parent.tuId,
    sku: parent.body.sku,
    has_variants: parent.variants.length > 0,
    availability: availabilityOf(all, lowStockThreshold),
    levels: [],
    variants: parent.variants.map(({ tuId, sku, axisValues }, index) => {
      const quantity = all[index] ?? null;
      const level = {
        sku,
        product_tu_id: parent.tuId,
        variant_tu_id: tuId,
        location,
        quantity,
        reserved: 0,
        available: quantity,
      };
      return {
        tu_id: tuId,
        sku,
        axis_values: new Exactly(axisValues),
        is_active: true,
        availability: availabilityOf([quantity], lowStockThreshold),
        levels: quantity === null ? [] : [level],
      };
    }),
  };
}

/** The availability for the quantities of active variants, null without a level, and without reservations. */
function availabilityOf(
  quantities: readonly (number | null)[],
  lowStockThreshold: number,
): { status: string | null; quantity: number } {
  const known = quantities.filter((quantity) => quantity !== null);
  const quantity = known.reduce((sum, part) => sum + part, 0);
  if (known.length === 0) return { status: null, quantity };
  if (quantity === 0) return { status: 'out_of_stock', quantity };
  return { status: quantity <= lowStockThreshold ? 'low_stock' : 'in_stock', quantity };
}
