import { ApiError } from '../../errors/api-error.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../field-problems.ts';
import { combinationOf, countCombinations, listCombinations } from './combination.ts';
import { defaultSkuTemplate, invalidTemplate, parseSkuTemplate, renderSku } from './sku-template.ts';

/** The most combinations that one generation covers [catalog-61]; existing ones count too. */
export const maxCombinations = 500;

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

function checkSkus(skus: readonly string[]): void {
  const seen = new Set<string>();
  for (const sku of skus) {
    if (sku.length > maxSkuLength && [...sku].length > maxSkuLength)
      throw invalidTemplate(`must not produce a SKU of more than ${maxSkuLength} characters`);
    if (seen.has(sku)) throw invalidTemplate(`must not produce the SKU ${sku} for two combinations`);
    seen.add(sku);
  }
}
