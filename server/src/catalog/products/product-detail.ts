import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import type { Product, ProductView } from '../product-records/product.ts';
import type { VariantView } from '../variants/variant.ts';

/** Axes and live variants are in the product's order. */
export interface ProductDetailView extends ProductView {
  readonly axes: AxisSelection;
  readonly variants: readonly VariantView[];
}

/** Returns the detail of a newly created product: it has no axes, no variants and no stock. */
export function newProductDetail(product: Product): ProductDetailView {
  return {
    product,
    prices: { activeVariants: 0, inheritingVariants: 0, ownPriceMin: null, ownPriceMax: null },
    totalQuantity: 0,
    totalReserved: 0,
    stock: { levels: 0, countedLevels: 0, available: 0, freshAt: null },
    // Without a level there is no status, regardless of the brand's settings.
    availabilitySettings: { lowStockThreshold: 0, staleAfterHours: null },
    axes: [],
    variants: [],
  };
}
