import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';

/** The fields of a variant that a client may change. */
export interface VariantFields {
  readonly sku: string;
  readonly barcode: string | null;
  /** Exact to 4 decimal places; null: the product's price. */
  readonly priceValue: number | null;
  readonly isActive: boolean;
}

/** A live variant. */
export interface Variant extends VariantFields {
  readonly id: number;
  readonly tuId: string;
  /** Axis code -> value, in the product's order of axes; never changes. */
  readonly axisValues: Readonly<Record<string, string>>;
  readonly position: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The values of the parent product that a variant shows. */
export interface VariantParent {
  readonly tuId: string;
  readonly priceValue: number;
  readonly priceCurrency: string;
  readonly availabilitySettings: AvailabilitySettings;
}

/** A variant with its stock, as it is shown. */
export interface VariantView extends Variant {
  readonly stock: StockSum;
}

/** The stock of a variant without levels. */
export const noVariantStock: StockSum = { levels: 0, countedLevels: 0, available: 0, freshAt: null };

/**
 * Returns the effective price of a variant: its own price, else the product's, in the product's currency [catalog-53].
 * It is computed on each read, so that a change of the product's price shows in every inheriting variant at once.
 */
export function variantPrice(
  { priceValue }: Pick<VariantFields, 'priceValue'>,
  parent: Pick<VariantParent, 'priceValue' | 'priceCurrency'>,
) {
  return {
    value: priceValue ?? parent.priceValue,
    currency: parent.priceCurrency,
    inherited: priceValue === null,
  };
}
