import { readOperation } from '../../../api/operation.ts';
import { unchanged } from '../../../api/reply.ts';
import { ProductParams } from '../../product-params.ts';
import { statusesHoldUntil } from '../../stock/availability.ts';
import { findProductVersion } from '../../versions/queries/catalog-versions.ts';
import { ProductDetailWire, productDetailToWire } from '../product-wire.ts';
import { getProductDetailUnless } from '../queries/get-product-detail.ts';
import { productExample } from './product-example.ts';

/** Returns the detail, with axes and variants [catalog-4]. */
export const getProductOperation = readOperation({
  id: 'getProduct',
  method: 'GET',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Get a product',
  description: 'Includes the selected axes and the variants. Works for inactive products too.',
  access: ['catalog.products:read'],
  params: ProductParams,
  responses: {
    200: { description: 'The product.', schema: ProductDetailWire, example: productExample.detail },
  },
  handle: async ({ database, clock }, { caller, params, known }) => {
    const product = await getProductDetailUnless(database, caller.brandId, params.tuId, known);
    if (product === null) return unchanged;
    const now = clock.now();
    const stocks = [product.stock, ...product.variants.map(({ stock }) => stock)];
    const freshUntil = statusesHoldUntil(stocks, product.availabilitySettings, now);
    return {
      status: 200,
      body: productDetailToWire(product, caller, now),
      version: { state: product.version, freshUntil },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findProductVersion(database, caller.brandId, params.tuId),
});
