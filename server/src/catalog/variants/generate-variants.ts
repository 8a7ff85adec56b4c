import type { InBrand } from '../../api/brand-lock.ts';
import { clientWrite } from '../../api/operation.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import { statement } from '../../postgres/statement.ts';
import { type CatalogLock, catalogLock } from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import { findTakenSkus } from '../skus/sku-store.ts';
import {
  type GenerationCandidate,
  maxCombinations,
  type ProductToGenerate,
  planGeneration,
} from './generation-candidates.ts';
import {
  type CreatedVariant,
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
