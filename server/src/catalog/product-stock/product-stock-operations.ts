import { Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { ExactFilter } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { ProductParams } from '../product-params.ts';
import { stockExample } from '../stock/stock-example.ts';
import { ProductStockWire, productStockToWire } from './product-stock-wire.ts';
import { getProductStock } from './queries/product-stock-view.ts';

/** Returns the levels of the product and of its live variants [catalog-83]. */
const getProductStockOperation = readOperation({
  id: 'getProductStock',
  method: 'GET',
  path: '/products/:tuId/stock',
  tag: 'Stock',
  summary: 'Get the stock of a product',
  description: `Returns every level of the product and of its live variants, with totals. The filters narrow the result: \`location\` the levels,
\`variant\` the variants. \`availability\` always covers the whole product or variant.`,
  access: ['catalog.stock:read'],
  params: ProductParams,
  query: Type.Object({
    location: ExactFilter({
      description: 'The `external_code` of a location; an unknown one returns no levels.',
      examples: ['WH-BERLIN'],
    }),
    variant: ExactFilter({
      description: 'The `tu_id` of a variant of this product; an unknown one returns no variants.',
      examples: [exampleIds.variant],
    }),
  }),
  responses: {
    200: {
      description: 'The stock of the product.',
      schema: ProductStockWire,
      example: stockExample.productStock,
    },
  },
  handle: async ({ database, clock }, { caller, params, query }) => {
    const stock = await getProductStock(database, caller.brandId, params.tuId, query);
    return { status: 200, body: productStockToWire(stock, clock.now()) };
  },
});

export const productStockOperations: readonly Operation[] = [getProductStockOperation];
