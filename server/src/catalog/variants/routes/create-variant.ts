import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { ProductParams } from '../../product-params.ts';
import { openVariantCreations } from '../variant-creations.ts';
import { CreateVariantBody, newVariantFromWire, VariantWire, variantToWire } from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Reports problems in a fixed order [catalog-49] [catalog-52]. */
export const createVariantOperation = setOperation({
  id: 'createVariant',
  method: 'POST',
  path: '/products/:tuId/variants',
  tag: 'Variants',
  summary: 'Create a variant',
  description: `\`axis_values\` maps every axis that the product selects to one of its selected values. \`is_active\` defaults to \`false\`;
without a \`price\`, the variant inherits the product's. The position is the next free one.

A SKU that is in use returns \`duplicate_sku\`; a combination that another live variant of the product has returns \`conflict\`.`,
  access: ['catalog.variants:write'],
  idempotency: 'required',
  params: ProductParams,
  body: CreateVariantBody,
  bodyExample: variantExample.create,
  responses: {
    201: { description: 'The new variant.', schema: VariantWire, example: variantExample.created },
  },
  errors: ['duplicate_sku', 'conflict'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, { waits, context }) => {
      const creations = requests.map(({ caller, params, body }) => {
        const { brandId } = caller;
        return { brandId, caller, productTuId: params.tuId, ...newVariantFromWire(body) };
      });
      const set = await openVariantCreations(tx, creations, { waits });
      const now = context.clock.now();
      return mapSet(set, ({ variant, parent }, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 201, body: variantToWire(variant, parent, caller, now) };
      });
    },
  },
});
