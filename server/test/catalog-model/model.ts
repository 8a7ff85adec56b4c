/**
 * The catalog of one client in memory: the expected result of its writes, computed in the simplest way and
 * independently of the product's code.
 */
export interface ModelLevel {
  quantity: number;
  reserved: number;
}

/** Location code -> level. */
export type ModelLevels = Map<string, ModelLevel>;

export interface ModelVariant {
  tuId: string;
  sku: string;
  /** Axis code -> value. */
  readonly values: Readonly<Record<string, string>>;
  price: number | null;
  isActive: boolean;
  readonly levels: ModelLevels;
}

export interface ModelProduct {
  tuId: string;
  sku: string;
  price: number;
  isActive: boolean;
  /** Axis code -> selected values, in the order of the axes. */
  selection: Map<string, readonly string[]>;
  /** The live variants. */
  variants: ModelVariant[];
  readonly levels: ModelLevels;
}

/** Inactive locations. */
export type InactiveLocations = ReadonlySet<string>;

const available = ({ quantity, reserved }: ModelLevel) => Math.max(0, quantity - reserved);

/** Computes status and quantity of some levels. The brand's threshold is 5, and levels never become stale. */
function modelAvailability(all: readonly ModelLevels[], inactive: InactiveLocations) {
  const levels = all.flatMap((map) => [...map]);
  const counted = levels.filter(([code]) => !inactive.has(code));
  const quantity = counted.reduce((sum, [, level]) => sum + available(level), 0);
  if (levels.length === 0) return { status: null, quantity };
  if (quantity === 0) return { status: 'out_of_stock', quantity };
  return { status: quantity <= 5 ? 'low_stock' : 'in_stock', quantity };
}

/** Computes the fields of a product that depend on its variants and stock. */
export function modelProductFigures(product: ModelProduct, inactive: InactiveLocations) {
  const active = product.variants.filter(({ isActive }) => isActive);
  const prices = active.map(({ price }) => price ?? product.price);
  const stocked = product.variants.length > 0 ? active.map(({ levels }) => levels) : [product.levels];
  const all = [product.levels, ...product.variants.map(({ levels }) => levels)].flatMap((map) => [
    ...map.values(),
  ]);
  return {
    sku: product.sku,
    price_value: product.price,
    is_active: product.isActive,
    has_variants: product.variants.length > 0,
    price_range:
      prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices), currency: 'EUR' },
    availability: { status: modelAvailability(stocked, inactive).status },
    stock_summary: {
      total_quantity: all.reduce((sum, { quantity }) => sum + quantity, 0),
      total_reserved: all.reduce((sum, { reserved }) => sum + reserved, 0),
    },
  };
}

export function modelVariantFigures(
  product: ModelProduct,
  variant: ModelVariant,
  inactive: InactiveLocations,
) {
  return {
    tu_id: variant.tuId,
    sku: variant.sku,
    axis_values: variant.values,
    price: {
      value: variant.price ?? product.price,
      currency: 'EUR',
      inherited: variant.price === null,
    },
    is_active: variant.isActive,
    availability: modelAvailability([variant.levels], inactive),
  };
}

/** Returns every combination of a selection; the first axis varies slowest. */
export function modelCombinations(
  selection: ReadonlyMap<string, readonly string[]>,
): Record<string, string>[] {
  let combinations: Record<string, string>[] = [{}];
  for (const [code, values] of selection)
    combinations = combinations.flatMap((combination) =>
      values.map((value) => ({ ...combination, [code]: value })),
    );
  return combinations;
}

export function sameValues(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const codes = Object.keys(a);
  return codes.length === Object.keys(b).length && codes.every((code) => a[code] === b[code]);
}
