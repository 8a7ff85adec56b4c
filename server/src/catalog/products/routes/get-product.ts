import { readOperation } from '../../../api/operation.ts';
import { notFound } from '../../../errors/api-error.ts';
import { ProductDetail, ProductParams, productDetailToWire } from '../product-wire.ts';
import { findProduct } from '../queries/find-product.ts';
import { productExample } from './product-example.ts';

/** Endpoint 4. */
export const getProductOperation = readOperation({
  id: 'getProduct',
  method: 'GET',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Read a product',
  description: 'With its selected axes and its variants. Inactive products are found too.',
  access: ['catalog.products:read'],
  params: ProductParams,
  responses: { 200: { description: 'The product.', schema: ProductDetail, example: productExample.detail } },
  handle: async ({ database }, { caller, params }) => {
    const product = await findProduct(database, caller.brandId, params.tuId);
    if (product === null) throw notFound();
    return { status: 200, body: productDetailToWire(product, caller) };
  },
});
