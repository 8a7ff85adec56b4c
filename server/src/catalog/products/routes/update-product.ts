import { writeOperation } from '../../../api/operation.ts';
import { decideConverted, mapReplies } from '../../../api/shared-handling.ts';
import { sharedReadSize } from '../../../postgres/shared-reads.ts';
import { ProductParams } from '../../product-params.ts';
import { changeProductsTogether } from '../change-products-together.ts';
import { changeProduct } from '../product-service.ts';
import {
  fieldsFromWire,
  ProductDetailWire,
  productDetailToWire,
  UpdateProductBody,
} from '../product-wire.ts';
import { getProductDetail } from '../queries/get-product-detail.ts';
import { productExample } from './product-example.ts';

/** Writes only the given fields [catalog-16] [catalog-17]. */
export const updateProductOperation = writeOperation({
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
  locksCatalog: true,
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
  handle: async (tx, { caller, params, body }, { clock }) => {
    await changeProduct(tx, caller, params.tuId, fieldsFromWire(body));
    const product = await getProductDetail(tx, caller.brandId, params.tuId);
    return { status: 200, body: productDetailToWire(product, caller, clock.now()) };
  },
  shared: {
    // The details of so many are one statement.
    maxRequests: sharedReadSize,
    handle: async (tx, requests, { clock }) => {
      const results = await decideConverted(
        requests,
        ({ caller, params, body }, position) => {
          return { position, brandId: caller.brandId, tuId: params.tuId, changes: fieldsFromWire(body) };
        },
        (changes) => changeProductsTogether(tx, changes),
      );
      const now = clock.now();
      return mapReplies(results, (product, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 200, body: productDetailToWire(product, caller, now) };
      });
    },
  },
});
