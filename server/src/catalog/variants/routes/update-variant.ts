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
  summary: 'Update a variant',
  description: `Omitted fields are left unchanged. Setting \`price\` or \`price.value\` to \`null\` removes the variant's own price; it then inherits
the product's price. \`barcode: null\` clears the barcode. Changing the SKU frees the old one. \`axis_values\` is immutable:
sending it is an error.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  lock: 'catalog',
  params: VariantParams,
  body: UpdateVariantBody,
  bodyExample: variantExample.update,
  responses: {
    200: { description: 'The updated variant.', schema: VariantWire, example: variantExample.updated },
  },
  errors: ['duplicate_sku'],
  handle: async (tx, { caller, params, body }, { clock }) => {
    const { id, productTuId } = await changeVariant(tx, caller, params.tuId, variantFieldsFromWire(body));
    const { parent, variant } = await getVariant(tx, caller.brandId, productTuId, id);
    return { status: 200, body: variantToWire(variant, parent, caller, clock.now()) };
  },
});
