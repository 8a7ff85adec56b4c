import type { InBrand } from '../../api/brand-lock.ts';
import { clientWrite } from '../../api/operation.ts';
import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import { statement } from '../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { type CatalogLock, catalogLock } from '../brand-catalog-store.ts';
import { FieldProblems, ProductParams } from '../catalog-requests.ts';
import { findTakenSkus } from '../skus/sku-store.ts';
import {
  type AxisValues,
  type CreatedVariant,
  combinationOf,
  combinationReader,
  createdVariant,
  type VariantIds,
  type VariantParent,
  type VariantsBefore,
} from './variant.ts';
import {
  type CountedProduct,
  countedProduct,
  insertVariants,
  parentColumns,
  type VariantsOfProduct,
} from './variant-store.ts';
import {
  GenerateVariantsBody,
  GenerationPlanWire,
  GenerationResultWire,
  generationToWire,
  planToWire,
  variantExample,
  variantToWire,
} from './variant-wire.ts';

/** Accepts an absent body [catalog-60]. */
export const generateVariantsOperation = clientWrite({
  id: 'generateVariants',
  method: 'POST',
  path: '/products/:tuId/variants/generate',
  tag: 'Variants',
  summary: 'Generate the variants of a product',
  description: `Creates a variant for every combination of the product's selected values that has none, with the first axis varying slowest.
On an error, nothing is created. The limit is 500 combinations, including existing ones. The body is optional.

With \`dry_run\`, returns 200 and the variants that would be created. SKU conflicts are detected only by the real run, which
returns \`conflict\`.`,
  access: ['catalog.variants:write'],
  idempotency: 'required',
  params: ProductParams,
  body: GenerateVariantsBody,
  bodyOptional: true,
  bodyExample: variantExample.generate,
  responses: {
    200: {
      description: 'Dry run: the variants that would be created.',
      schema: GenerationPlanWire,
      example: variantExample.plan,
    },
    201: {
      description: 'The created variants.',
      schema: GenerationResultWire,
      example: variantExample.generation,
    },
  },
  errors: ['no_axes_selected', 'variant_cap_exceeded', 'conflict'],
  lock: catalogLock,
  handle: async (catalog, { caller, params, body }, { clock }) => {
    const { activate = false, sku_template: skuTemplate } = body;
    const { total, parent, variants } = await generateVariants(catalog, {
      productTuId: params.tuId,
      skuTemplate,
      activate,
    });
    const now = clock.now();
    const made = variants.map((variant) => variantToWire(variant, parent, caller, now));
    return { status: 201, body: generationToWire(total, made) };
  },
  // Does not check whether SKUs are taken: that may change until the real run.
  dryRun: {
    isAsked: ({ body }) => body.dry_run === true,
    handle: async (tx, { caller, params, body }) => {
      const read = await readProductOfGeneration({ tx, brandId: caller.brandId }, params.tuId);
      if (read === null) throw notFound();
      const { total, missing } = planGeneration(read, body.sku_template);
      return { status: 200, body: planToWire(total, missing.length) };
    },
  },
});

interface VariantGeneration {
  readonly productTuId: string;
  /** Absent: the default template. */
  readonly skuTemplate?: string | undefined;
  readonly activate: boolean;
}

interface Generated extends VariantsOfProduct {
  /** The number of all combinations of the selection. */
  readonly total: number;
}

/**
 * Creates every combination that no live variant has, all or nothing, in a constant number of statements. The second of two
 * generations sees the variants of the first.
 * @throws ApiError `not_found`; see `planGeneration` and `generatedVariants`
 */
export async function generateVariants(
  catalog: CatalogLock,
  { productTuId, skuTemplate, activate: isActive }: VariantGeneration,
): Promise<Generated> {
  const read = await readProductOfGeneration(catalog, productTuId);
  if (read === null) throw notFound();
  const { product, parent, selection, lastPosition } = read;
  const { total, missing } = planGeneration(read, skuTemplate);
  if (missing.length === 0) return { total, parent, variants: [] };
  const [ids, takenSkus] = await Promise.all([
    drawVariantIds(catalog, missing.length),
    findTakenSkus(
      catalog,
      missing.map(({ sku }) => sku),
    ),
  ]);
  const created = generatedVariants(missing, {
    selection,
    takenSkus,
    ids: ids.map((id) => ({ id, tuId: newTuId() })),
    lastPosition,
    isActive,
    stamp: () => catalog.next(),
  });
  insertVariants(catalog, product, created);
  return { total, parent, variants: created.map(({ variant }) => variant) };
}

/** The most combinations that one generation covers [catalog-61]; existing ones count too. */
const maxCombinations = 500;

interface ProductToGenerate {
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
function planGeneration(
  { selection, productSku, taken }: ProductToGenerate,
  skuTemplate: string | undefined,
): GenerationPlan {
  const candidates = generationCandidates(selection, productSku, skuTemplate);
  const missing = candidates.filter(({ combination }) => !taken.has(combination));
  return { total: candidates.length, missing };
}

/** The longest SKU, in code points [catalog-9]. */
const maxSkuLength = 191;

interface GenerationCandidate {
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

/** A part of a SKU: a fixed string, the product's SKU, or the value of an axis. */
export type SkuPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'product' }
  | { readonly kind: 'axis'; readonly code: string };

type SkuTemplate = readonly SkuPart[];

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
    const rest = { axisValues: axisValuesOf(combination), position, stampedAt };
    return { variant: createdVariant({ sku, isActive }, ids[index] as VariantIds, rest), combination };
  });
}

interface ProductOfGeneration extends ProductToGenerate {
  readonly product: CountedProduct;
  readonly parent: VariantParent;
  /** The largest position of its live variants; -1 if there are none. */
  readonly lastPosition: number;
}

interface ProductOfGenerationRow extends Omit<ProductOfGeneration, 'taken' | 'lastPosition'> {
  /** The one with the largest position first. */
  readonly taken: readonly { readonly combination: string; readonly position: number }[];
}

/** Reads what decides on a generation; null if the brand has no such product. */
export async function readProductOfGeneration(
  { tx, brandId }: InBrand,
  productTuId: string,
): Promise<ProductOfGeneration | null> {
  const [row] = await tx.run(
    statement<ProductOfGenerationRow>(
      'read_product_of_generation',
      `select ${countedProduct} as product, ${parentColumns}, p.sku as "productSku", (
         select coalesce(json_agg(json_build_object('combination', v.combination, 'position', v.position)), '[]')
         from (
           select v.combination, v.position from variants v
           where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
           order by v.position desc, v.id desc limit ${maxCombinations + 1}
         ) v
       ) as taken
       from products p
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (row === undefined) return null;
  const { taken, ...product } = row;
  const combinations = new Set(taken.map(({ combination }) => combination));
  return { ...product, taken: combinations, lastPosition: taken[0]?.position ?? -1 };
}

async function drawVariantIds({ tx }: CatalogLock, count: number): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'draw_variant_ids',
      `select nextval('variants_id_seq') as id from generate_series(1, $1::integer)`,
      [count],
    ),
  );
  return rows.map(({ id }) => id);
}
