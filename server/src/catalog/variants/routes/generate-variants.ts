import type { Static } from 'typebox';
import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { ProductParams } from '../../product-params.ts';
import {
  GenerateVariantsBody,
  GenerationPlanWire,
  GenerationResultWire,
  generationToWire,
  planToWire,
} from '../generation-wire.ts';
import { openDryRun, openGeneration } from '../variant-generations.ts';
import { variantToWire } from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Accepts an absent body [catalog-60]. */
export const generateVariantsOperation = setOperation({
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
  set: {
    lock: 'catalog',
    // May create 500 variants.
    isAlone: () => true,
    isDryRun,
    open: async (tx, [request], { waits, context }) => {
      const { caller, params, body } = request;
      const { activate = false, sku_template: skuTemplate } = body;
      const generation = { brandId: caller.brandId, productTuId: params.tuId, skuTemplate, activate };
      if (isDryRun(request))
        return mapSet(await openDryRun(tx, generation), ({ total, missing }) => {
          return { status: 200, body: planToWire(total, missing.length) };
        });
      const now = context.clock.now();
      return mapSet(await openGeneration(tx, generation, { waits }), ({ total, parent, variants }) => {
        const made = variants.map((variant) => variantToWire(variant, parent, caller, now));
        return { status: 201, body: generationToWire(total, made) };
      });
    },
  },
});

function isDryRun({ body }: { readonly body: Static<typeof GenerateVariantsBody> }): boolean {
  return body.dry_run === true;
}
