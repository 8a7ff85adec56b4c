import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';
import type { StockLevel } from '../stock/stock-level.ts';
import type { VariantView } from '../variants/variant.ts';

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
  /** Sorted by location. */
  readonly levels: readonly StockLevel[];
}
