import type { AxisChoice } from '../axes/axis-library.ts';
import type { ProductBody } from '../products/product-body.ts';

/** A product of the source whose variants are combinations of axes. */
export interface ParentSource {
  readonly body: ParentBody;
  readonly choice: readonly AxisChoice[];
  /** In the order of creation. */
  readonly variants: readonly VariantSource[];
}

/** A product with a price, which its variants show. */
export type ParentBody = ProductBody & { readonly price_value: number; readonly price_currency: string };

export interface VariantSource {
  readonly sku: string;
  /** Axis code -> value. */
  readonly axisValues: Readonly<Record<string, string>>;
  /** null for the product's price. */
  readonly price: number | null;
}

/** A product of the brand with axes and no variants yet. */
export interface PendingParent extends ParentSource {
  readonly tuId: string;
}

/** A product and its variants in the brand. */
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

/** The largest number of variants of one generation [catalog-61]. */
export const maxCombinations = 500;

/** Number of combinations of a choice. */
export function countCombinations({ choice }: Pick<ParentSource, 'choice'>): number {
  return choice.reduce((count, { values }) => count * values.length, 1);
}

/** Yields every combination with its SKU: that of the product and each value, the first axis slowest. */
export function combinationsOf({ body, choice }: Pick<ParentSource, 'body' | 'choice'>): VariantSource[] {
  let combinations: VariantSource[] = [{ sku: body.sku, axisValues: {}, price: null }];
  for (const { code, values } of choice)
    combinations = combinations.flatMap(({ sku, axisValues }) =>
      values.map((value) => ({
        sku: `${sku}-${value}`,
        axisValues: { ...axisValues, [code]: value },
        price: null,
      })),
    );
  return combinations;
}
