import type { EmbeddedVariant, VariantUpdate } from '@brandport/client';
import type { Place } from '../../input/input-rows.ts';
import type { WantedSelection, WantedVariant } from '../wanted/wanted.ts';
import { combinationKey, variantChanges } from './product-differences.ts';
import { combinations, countCombinations, defaultTemplate, findTemplate, renderSku } from './sku-template.ts';

/** The most combinations that the service generates. */
const mostCombinations = 500;

export interface VariantsInput {
  readonly productSku: string;
  /** The selection that the product has when its variants are written. */
  readonly selection: WantedSelection;
  readonly stored: readonly EmbeddedVariant[];
  readonly wanted: readonly WantedVariant[];
  readonly wantsAll: boolean;
  readonly template: string | null;
  /** The row of the product, for its problems. */
  readonly place: Place | string;
}

export interface VariantsPlan {
  readonly generate: {
    readonly template: string | null;
    readonly activate: boolean;
    readonly creates: number;
  } | null;
  readonly create: readonly WantedVariant[];
  readonly update: readonly {
    readonly place: Place | string;
    readonly axisValues: Readonly<Record<string, string>>;
    readonly body: VariantUpdate;
  }[];
  readonly same: number;
  /** The SKUs of the generated variants. */
  readonly generatedSkus: readonly string[];
  readonly problems: readonly { readonly place: Place | string; readonly message: string }[];
}

/** A generation, and the writes after it that give each variant what its row wants. */
interface Generation {
  readonly template: string | null;
  readonly activate: boolean;
  readonly skus: readonly string[];
  readonly updates: VariantsPlan['update'];
}

/**
 * Compares the variants of a product with its rows, and chooses between creating variants one by one and generating all
 * missing combinations with one request: the way with fewer requests.
 */
export function planVariants(input: VariantsInput): VariantsPlan {
  const problems: { place: Place | string; message: string }[] = [];
  const update: VariantsPlan['update'][number][] = [];
  const { stored, wanted, selection } = input;
  const bySku = new Map(stored.map((variant) => [variant.sku, variant]));
  const byCombination = new Map(stored.map((variant) => [combinationKey(variant.axis_values), variant]));
  const create = new Map<string, WantedVariant>();
  const seen = new Set<string>();
  let same = 0;
  for (const one of wanted) {
    const key = combinationKey(one.axisValues);
    const known = bySku.get(one.sku) ?? byCombination.get(key);
    const problem = problemOf(one, { isRepeated: seen.has(key), selection, known });
    seen.add(key);
    if (problem !== null) problems.push({ place: one.place, message: problem });
    else if (known === undefined) create.set(key, one);
    else {
      const body = variantChanges(one, known);
      if (body === null) same += 1;
      else update.push({ place: one.place, axisValues: known.axis_values, body });
    }
  }
  const total = countCombinations(selection);
  if (input.wantsAll && total > mostCombinations)
    problems.push({
      place: input.place,
      message: `its selection has ${total} combinations; at most 500 are generated`,
    });
  if (input.wantsAll && total === 0)
    problems.push({ place: input.place, message: 'it wants all variants, and selects no axes' });
  const missing =
    total === 0 || total > mostCombinations
      ? []
      : combinations(selection).filter((values) => !byCombination.has(combinationKey(values)));
  const generation =
    missing.length === 0 || problems.length > 0 ? null : chooseGeneration(input, missing, create);
  return {
    generate:
      generation === null
        ? null
        : { template: generation.template, activate: generation.activate, creates: missing.length },
    create: generation === null ? [...create.values()] : [],
    update: generation === null ? update : [...update, ...generation.updates],
    same,
    generatedSkus: generation?.skus ?? [],
    problems,
  };
}

function problemOf(
  { sku, axisValues }: WantedVariant,
  {
    isRepeated,
    selection,
    known,
  }: { isRepeated: boolean; selection: WantedSelection; known: EmbeddedVariant | undefined },
): string | null {
  if (isRepeated) return 'another row of the product has the same axis values';
  if (known !== undefined && combinationKey(known.axis_values) !== combinationKey(axisValues))
    return `${sku} is stored with other axis values, which cannot change`;
  for (const { code, values } of selection) {
    const value = Object.hasOwn(axisValues, code) ? axisValues[code] : undefined;
    if (value === undefined || value === '') return `it has no value of the axis "${code}"`;
    if (!values.includes(value))
      return `its product does not select the value "${value}" of the axis "${code}"`;
  }
  const foreign = Object.keys(axisValues).find((code) => !selection.some((axis) => axis.code === code));
  return foreign === undefined ? null : `its product does not select the axis "${foreign}"`;
}

/** Returns null if creating the variants one by one takes no more requests. */
function chooseGeneration(
  input: VariantsInput,
  missing: readonly Readonly<Record<string, string>>[],
  create: ReadonlyMap<string, WantedVariant>,
): Generation | null {
  const { productSku, selection, wantsAll, template: given } = input;
  if (!wantsAll && create.size < missing.length) return null;
  const rows = [...create.values()];
  const codes = selection.map(({ code }) => code);
  const template =
    given ?? findTemplate(productSku, codes, rows) ?? (wantsAll ? defaultTemplate(codes) : null);
  if (template === null) return null;
  // The value that most rows want saves most changes afterwards.
  const activate = wantsAll || rows.filter(({ isActive }) => isActive === true).length * 2 > rows.length;
  const updates = missing.flatMap((axisValues) => {
    const row = create.get(combinationKey(axisValues));
    if (row === undefined) return [];
    const generated = {
      sku: renderSku(template, productSku, axisValues),
      price: { value: 0, currency: '', inherited: true },
      barcode: null,
      is_active: activate,
    };
    const body = variantChanges(
      { ...row, isActive: row.isActive ?? (wantsAll ? undefined : false) },
      generated,
    );
    return body === null ? [] : [{ place: row.place, axisValues, body }];
  });
  if (!wantsAll && 1 + updates.length >= rows.length) return null;
  const skus = missing.map((axisValues) => renderSku(template, productSku, axisValues));
  return { template: template === defaultTemplate(codes) ? null : template, activate, skus, updates };
}
