import { writeOperation } from '../../../api/operation.ts';
import { getVariant } from '../queries/get-variants.ts';
import { changeVariant } from '../variant-service.ts';
import {
  UpdateVariantBody,
  VariantParams,
  VariantWire,
  variantFieldsFromWire,
  variantToWire,
} from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Changes everything but the combination [catalog-54] [catalog-55]. */
export const updateVariantOperation = writeOperation({
  id: 'updateVariant',
  method: 'PATCH',
  path: '/variants/:tuId',
  tag: 'Variants',
  summary: 'Change a variant',
  description: `Writes the fields that are present and leaves the others. \`price: null\` or \`price.value: null\` gives the price of its own up, so
that the product's counts; \`barcode: null\` clears. A SKU that is given up is free again. \`axis_values\` never change:
sending them is an error.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  locksCatalog: true,
  params: VariantParams,
  body: UpdateVariantBody,
  bodyExample: variantExample.update,
  responses: {
    200: { description: 'The variant as it is now.', schema: VariantWire, example: variantExample.updated },
  },
  errors: ['duplicate_sku'],
  handle: async (tx, { caller, params, body }, { clock }) => {
    const { id, productTuId } = await changeVariant(tx, caller, params.tuId, variantFieldsFromWire(body));
    const { parent, variant } = await getVariant(tx, caller.brandId, productTuId, id);
    return { status: 200, body: variantToWire(variant, parent, caller, clock.now()) };
  },
});
