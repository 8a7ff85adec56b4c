import { writeOperation } from '../../../api/operation.ts';
import { ProductParams } from '../../product-params.ts';
import { generateVariants, planGeneration } from '../generation-service.ts';
import {
  GenerateVariantsBody,
  GenerationPlanWire,
  GenerationResultWire,
  generationToWire,
  planToWire,
} from '../generation-wire.ts';
import { getVariants } from '../queries/get-variants.ts';
import { variantToWire } from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Accepts an absent body [catalog-60]. */
export const generateVariantsOperation = writeOperation({
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
  lock: 'catalog',
  isDryRun: ({ body }) => body.dry_run === true,
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
  handle: async (tx, { caller, params, body }, { clock }) => {
    const { brandId } = caller;
    const { dry_run: isDryRun = false, activate = false, sku_template: skuTemplate } = body;
    if (isDryRun) {
      const { total, missing } = await planGeneration(tx, brandId, params.tuId, skuTemplate);
      return { status: 200, body: planToWire(total, missing.length) };
    }
    const { total, createdIds } = await generateVariants(tx, params.tuId, { skuTemplate, activate });
    const { parent, variants } = await getVariants(tx, brandId, params.tuId, createdIds);
    const now = clock.now();
    const made = variants.map((variant) => variantToWire(variant, parent, caller, now));
    return { status: 201, body: generationToWire(total, made) };
  },
});
