import { clientWrite } from '../../api/operation.ts';
import { notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import { type CatalogLock, catalogLock } from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import { findTakenSkus } from '../skus/sku-store.ts';
import { generatedVariants, planGeneration } from './generation.ts';
import type { VariantsOfProduct } from './queries/variants-of-product.ts';
import { drawVariantIds, insertVariants, readProductOfGeneration } from './variant-store.ts';
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

export interface VariantGeneration {
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
