import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { openVariantChanges } from '../variant-changes.ts';
import {
  UpdateVariantBody,
  VariantParams,
  VariantWire,
  variantFieldsFromWire,
  variantToWire,
} from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Changes everything but the combination [catalog-54] [catalog-55]. */
export const updateVariantOperation = setOperation({
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
  params: VariantParams,
  body: UpdateVariantBody,
  bodyExample: variantExample.update,
  responses: {
    200: { description: 'The updated variant.', schema: VariantWire, example: variantExample.updated },
  },
  errors: ['duplicate_sku'],
  set: {
    lock: 'catalog',
    // Also locks the brand's stock.
    isAlone: ({ body }) => body.sku !== undefined || body.is_active !== undefined,
    open: async (tx, requests, { waits, context }) => {
      const changes = requests.map(({ caller, params: { tuId }, body }) => {
        return { brandId: caller.brandId, caller, tuId, changes: variantFieldsFromWire(body) };
      });
      const set = await openVariantChanges(tx, changes, { waits });
      const now = context.clock.now();
      return mapSet(set, ({ variant, parent }, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 200, body: variantToWire(variant, parent, caller, now) };
      });
    },
  },
});
