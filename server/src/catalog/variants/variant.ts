import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';

export interface VariantFields {
  readonly sku: string;
  readonly barcode: string | null;
  /** Exact to 4 decimal places; null: the product's price. */
  readonly priceValue: number | null;
  readonly isActive: boolean;
}

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

export interface VariantView extends Variant {
  readonly stock: StockSum;
}

export const noVariantStock: StockSum = { levels: 0, countedLevels: 0, available: 0, freshAt: null };

/** Computed on each read, so that a change of the product's price shows in every inheriting variant at once [catalog-53]. */
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
