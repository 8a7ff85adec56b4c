import type { ParentSource, VariantSource } from './parent.ts';

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
