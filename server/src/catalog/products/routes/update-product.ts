import { writeOperation } from '../../../api/operation.ts';
import { changeProduct } from '../product-service.ts';
import {
  fieldsFromWire,
  ProductDetailWire,
  ProductParams,
  productDetailToWire,
  UpdateProductBody,
} from '../product-wire.ts';
import { getProductDetail } from '../queries/get-product-detail.ts';
import { productExample } from './product-example.ts';

/** Writes the given fields only [catalog-16] [catalog-17]. */
export const updateProductOperation = writeOperation({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Change a product',
  description: `Writes the fields that are present and leaves the others. \`versions\` is replaced as a whole: send the translations
that are to stay along with those that change. \`is_active: false\`
archives the product, \`true\` publishes it again. \`short_description: null\` clears it; other fields cannot be null.`,
  access: ['catalog.products:write'],
  idempotency: 'optional',
  locksCatalog: true,
  params: ProductParams,
  body: UpdateProductBody,
  bodyExample: productExample.update,
  responses: {
    200: {
      description: 'The product as it is now.',
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
});
