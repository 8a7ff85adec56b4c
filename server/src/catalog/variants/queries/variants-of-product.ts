import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import {
  type SelectionJson,
  selectionFromJson,
  selectionJson,
} from '../../axis-selection/queries/selection-json.ts';
import type { VariantParent, VariantView } from '../variant.ts';
import { type VariantsJson, variantsFromJson } from './variants-json.ts';

/** Some variants of a product with the product's values that they show. */
export interface VariantsOfProduct {
  readonly parent: VariantParent;
  readonly variants: readonly VariantView[];
}

/** One variant with the product's values that it shows. */
export interface VariantOfProduct {
  readonly parent: VariantParent;
  readonly variant: VariantView;
}

export interface VariantsOfProductRow {
  readonly tu_id: string;
  readonly price_value: string;
  readonly price_currency: string;
  readonly low_stock_threshold: number;
  readonly stale_after_hours: number | null;
  readonly selection: SelectionJson;
  readonly variants: VariantsJson;
}

/**
 * The columns of a VariantsOfProductRow, from a product `p` and its brand `b`; `variants` is a column from
 * `variantsJson`.
 */
export const variantsOfProductColumns = (variants: string) =>
  `p.tu_id, p.price_value, p.price_currency, b.low_stock_threshold, b.stale_after_hours,
    ${selectionJson} as selection,
    ${variants} as variants`;

export function variantsOfProductFromRow(row: VariantsOfProductRow): VariantsOfProduct {
  const selection: AxisSelection = selectionFromJson(row.selection);
  return {
    parent: {
      tuId: row.tu_id,
      priceValue: Number(row.price_value),
      priceCurrency: row.price_currency,
      availabilitySettings: {
        lowStockThreshold: row.low_stock_threshold,
        staleAfterHours: row.stale_after_hours,
      },
    },
    variants: variantsFromJson(row.variants, selection),
  };
}
