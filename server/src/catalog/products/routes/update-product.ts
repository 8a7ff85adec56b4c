import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { ProductParams } from '../../product-params.ts';
import { openProductChanges } from '../product-changes.ts';
import {
  fieldsFromWire,
  ProductDetailWire,
  productDetailToWire,
  UpdateProductBody,
} from '../product-wire.ts';
import { productExample } from './product-example.ts';

/** Writes only the given fields [catalog-16] [catalog-17]. */
export const updateProductOperation = setOperation({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Update a product',
  description: `Omitted fields are left unchanged. \`versions\` is replaced as a whole: send all translations that you want to keep.
\`is_active: false\` archives the product, \`true\` publishes it again. \`short_description: null\` clears it; other fields
cannot be null.`,
  access: ['catalog.products:write'],
  idempotency: 'optional',
  params: ProductParams,
  body: UpdateProductBody,
  bodyExample: productExample.update,
  responses: {
    200: {
      description: 'The updated product.',
      schema: ProductDetailWire,
      example: productExample.updated,
    },
  },
  errors: ['duplicate_sku'],
  set: {
    lock: 'catalog',
    // A rename also locks the brand's stock.
    isAlone: ({ body }) => body.sku !== undefined,
    open: async (tx, requests, { waits, context }) => {
      const changes = requests.map(({ caller, params, body }) => {
        const { brandId } = caller;
        return { brandId, caller, tuId: params.tuId, sku: body.sku, fields: () => fieldsFromWire(body) };
      });
      const set = await openProductChanges(tx, changes, { waits });
      const now = context.clock.now();
      return mapSet(set, (detail, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 200, body: productDetailToWire(detail, caller, now) };
      });
    },
  },
});
