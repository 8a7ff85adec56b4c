import { ApiError, invalidField } from '../../errors/api-error.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../catalog-requests.ts';
import {
  type AxisValues,
  combinationOf,
  combinationReader,
  countCombinations,
  listCombinations,
} from './combination.ts';
import { type CreatedVariant, createdVariant, type VariantIds, type VariantsBefore } from './variant.ts';

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

interface GenerationPlan {
  /** The number of all combinations of the selection. */
  readonly total: number;
  /** The candidates whose combination no live variant has, in order. */
  readonly missing: readonly GenerationCandidate[];
}

export interface ProductToGenerate {
  readonly selection: AxisSelection;
  readonly productSku: string;
  /** The combinations of its live variants; of more than a generation covers, one more than that. */
  readonly taken: ReadonlySet<string>;
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

interface GeneratedFrom extends Pick<VariantsBefore, 'selection' | 'lastPosition'> {
  readonly takenSkus: ReadonlySet<string>;
  /** In the order of the candidates. */
  readonly ids: readonly VariantIds[];
  readonly isActive: boolean;
  readonly stamp: () => Date;
}

/** Returns a variant for each candidate, in order. @throws ApiError `conflict` if one of the SKUs is taken [catalog-66] */
export function generatedVariants(
  candidates: readonly GenerationCandidate[],
  { selection, takenSkus, ids, lastPosition, isActive, stamp }: GeneratedFrom,
): CreatedVariant[] {
  const refused = candidates.find(({ sku }) => takenSkus.has(sku));
  if (refused !== undefined)
    throw new ApiError('conflict', {
      message: `The SKU ${refused.sku} is already in use. Nothing was created.`,
    });
  if (candidates.length === 0) return [];
  const stampedAt = stamp();
  const axisValuesOf = combinationReader(selection);
  return candidates.map(({ sku, combination }, index) => {
    const position = lastPosition + 1 + index;
    const place = { axisValues: axisValuesOf(combination), position, stampedAt };
    return { variant: createdVariant({ sku, isActive }, ids[index] as VariantIds, place), combination };
  });
}

/** A part of a SKU: a fixed string, the product's SKU, or the value of an axis. */
export type SkuPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'product' }
  | { readonly kind: 'axis'; readonly code: string };

export type SkuTemplate = readonly SkuPart[];

const separator: SkuPart = { kind: 'text', text: '-' };

/** Returns a template of the product's SKU and every axis in order: `{sku}-{color}-{size}` [catalog-64]. */
export function defaultSkuTemplate(codes: readonly string[]): SkuTemplate {
  return [{ kind: 'product' }, ...codes.flatMap((code): SkuPart[] => [separator, { kind: 'axis', code }])];
}

/**
 * Parses a template with `{sku}`, the product's SKU even if an axis is named sku, and one `{<axis_code>}` for each axis, which
 * may be omitted or repeated.
 * @throws ApiError `validation_failed` on `sku_template` for an unknown placeholder or an unmatched brace, which would end up
 *   in SKUs that stay taken permanently
 */
export function parseSkuTemplate(template: string, codes: readonly string[]): SkuTemplate {
  // The capture makes split() keep the placeholders, at the odd indexes.
  return template.split(/\{([^{}]*)\}/).flatMap((text, index): SkuPart[] => {
    if (index % 2 === 0) {
      if (/[{}]/.test(text)) throw invalidTemplate('has an unmatched brace');
      return text === '' ? [] : [{ kind: 'text', text }];
    }
    if (text === 'sku') return [{ kind: 'product' }];
    if (!codes.includes(text)) throw invalidTemplate(`has the unknown placeholder {${text}}`);
    return [{ kind: 'axis', code: text }];
  });
}

export function renderSku(template: SkuTemplate, productSku: string, axisValues: AxisValues): string {
  return template
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.kind === 'product' ? productSku : axisValues[part.code];
    })
    .join('');
}

/** The field is `sku_template` also when the client omitted it and the default applied. */
function invalidTemplate(message: string) {
  return invalidField('sku_template', message);
}
