import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';

/** What a client may change of a variant. */
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

/** What a variant shows of the product that it belongs to. */
export interface VariantParent {
  readonly tuId: string;
  readonly priceValue: number;
  readonly priceCurrency: string;
  readonly availabilitySettings: AvailabilitySettings;
}

/** A variant with what it shows of its stock. */
export interface VariantView extends Variant {
  readonly stock: StockSum;
}

/** A variant that is about to be made. */
export interface VariantDraft extends VariantFields {
  readonly tuId: string;
  /** As `combinationOf` writes it. */
  readonly combination: string;
}

/**
 * What a variant costs: its own price, else the product's, in the product's currency [catalog-53]. It is
 * worked out when it is read, so that a change of the product's price shows in every inheriting variant at once.
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

/** Whether writing `changes` would leave the fields as they are. */
export function changesNothing(present: VariantFields, changes: Partial<VariantFields>): boolean {
  return Object.entries(changes).every(([field, value]) => present[field as keyof VariantFields] === value);
}
