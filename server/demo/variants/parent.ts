import type { AxisChoice } from '../axes/axis-library.ts';
import type { ProductBody } from '../products/product-body.ts';

/** A product whose variants are made of axes, as the source has it. */
export interface ParentSource {
  readonly body: ParentBody;
  readonly choice: readonly AxisChoice[];
  /** In the order in which they are made. */
  readonly variants: readonly VariantSource[];
}

/** With a price, which its variants show. */
export type ParentBody = ProductBody & { readonly price_value: number; readonly price_currency: string };

export interface VariantSource {
  readonly sku: string;
  /** Axis code -> value. */
  readonly axisValues: Readonly<Record<string, string>>;
  /** null: the product's. */
  readonly price: number | null;
}

/** A product that the brand has with its axes, and without variants yet. */
export interface PendingParent extends ParentSource {
  readonly tuId: string;
}

/** A product with the variants that the brand has. */
export interface Parent extends PendingParent {
  readonly variants: readonly Variant[];
}

export interface Variant extends VariantSource {
  readonly tuId: string;
}

/** Number of variants of the products. */
export function variantsOf(parents: readonly ParentSource[]): number {
  return parents.reduce((sum, { variants }) => sum + variants.length, 0);
}
