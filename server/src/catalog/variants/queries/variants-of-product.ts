import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { selectionJson } from '../../axis-selection/axis-selection-store.ts';
import type { VariantParent, VariantView } from '../variant.ts';
import type { VariantsJson } from './variants-json.ts';

export interface VariantsOfProduct {
  readonly parent: VariantParent;
  readonly variants: readonly VariantView[];
}

export interface VariantOfProduct {
  readonly parent: VariantParent;
  readonly variant: VariantView;
}

export interface VariantsOfProductRow {
  readonly parent: VariantParent;
  readonly selection: AxisSelection;
  readonly variants: VariantsJson;
}

/** The columns that a variant shows of a product `p` and its brand `b`, and the product's selection. */
export const parentColumns = `json_build_object(
    'tuId', p.tu_id, 'priceValue', p.price_value, 'priceCurrency', p.price_currency,
    'availabilitySettings', json_build_object(
      'lowStockThreshold', b.low_stock_threshold, 'staleAfterHours', b.stale_after_hours
    )
  ) as parent, ${selectionJson} as selection`;
