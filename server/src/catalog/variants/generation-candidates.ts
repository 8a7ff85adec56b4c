import { ApiError } from '../../errors/api-error.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../catalog-requests.ts';
import { defaultSkuTemplate, invalidTemplate, parseSkuTemplate, renderSku } from './sku-template.ts';
import { type AxisValues, combinationOf } from './variant.ts';

/** The most combinations that one generation covers [catalog-61]; existing ones count too. */
export const maxCombinations = 500;

export interface ProductToGenerate {
  readonly selection: AxisSelection;
  readonly productSku: string;
  /** The combinations of its live variants; of more than a generation covers, one more than that. */
  readonly taken: ReadonlySet<string>;
}

interface GenerationPlan {
  /** The number of all combinations of the selection. */
  readonly total: number;
  /** The candidates whose combination no live variant has, in order. */
  readonly missing: readonly GenerationCandidate[];
}

/** @throws ApiError see `generationCandidates` */
export function planGeneration(
  { selection, productSku, taken }: ProductToGenerate,
  skuTemplate: string | undefined,
): GenerationPlan {
  const candidates = generationCandidates(selection, productSku, skuTemplate);
  const missing = candidates.filter(({ combination }) => !taken.has(combination));
  return { total: candidates.length, missing };
}

/** The longest SKU, in code points [catalog-9]. */
const maxSkuLength = 191;

export interface GenerationCandidate {
  readonly sku: string;
  /** In the form that `combinationOf` returns. */
  readonly combination: string;
}

/**
 * Returns a candidate for every combination, in order, whether its variant exists or not. The template is validated against all
 * of them [catalog-61] [catalog-65] [D22].
 * @throws ApiError `no_axes_selected`, `variant_cap_exceeded`, or `validation_failed` on `sku_template`
 */
export function generationCandidates(
  selection: AxisSelection,
  productSku: string,
  skuTemplate: string | undefined,
): GenerationCandidate[] {
  if (selection.length === 0) throw new ApiError('no_axes_selected');
  const count = countCombinations(selection);
  if (count > maxCombinations)
    throw new ApiError('variant_cap_exceeded', {
      message: `The selection has ${count} combinations; the maximum is ${maxCombinations}.`,
    });
  const codes = selection.map(({ code }) => code);
  const template =
    skuTemplate === undefined ? defaultSkuTemplate(codes) : parseSkuTemplate(skuTemplate, codes);
  const problems = new FieldProblems();
  const candidates = listCombinations(selection).map((axisValues) => ({
    sku: renderSku(template, productSku, axisValues),
    combination: combinationOf(axisValues, selection, problems),
  }));
  problems.throwIfAny();
  checkSkus(candidates.map(({ sku }) => sku));
  return candidates;
}

/** Exact at any size; computed without listing them. */
export function countCombinations(selection: AxisSelection): bigint {
  return selection.reduce((count, { values }) => count * BigInt(values.length), 1n);
}

/** Returns every combination of a selection; the first axis varies slowest [catalog-59]. Count them first. */
export function listCombinations(selection: AxisSelection): AxisValues[] {
  const combinations = selection.reduce<(readonly [string, string])[][]>(
    (partial, { code, values }) =>
      partial.flatMap((pairs) => values.map(({ value }) => [...pairs, [code, value] as const])),
    [[]],
  );
  return combinations.map((pairs) => Object.fromEntries(pairs));
}

function checkSkus(skus: readonly string[]): void {
  const seen = new Set<string>();
  for (const sku of skus) {
    if (sku.length > maxSkuLength && [...sku].length > maxSkuLength)
      throw invalidTemplate(`must not produce a SKU of more than ${maxSkuLength} characters`);
    if (seen.has(sku)) throw invalidTemplate(`must not produce the SKU ${sku} for two combinations`);
    seen.add(sku);
  }
}
