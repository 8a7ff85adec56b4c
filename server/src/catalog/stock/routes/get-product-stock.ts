import { Type } from 'typebox';
import { exampleIds } from '../../../api/example-ids.ts';
import { ExactFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { ProductParams } from '../../products/product-wire.ts';
import { ProductStockWire, productStockToWire } from '../product-stock-wire.ts';
import { getProductStock } from '../queries/product-stock-view.ts';
import { stockExample } from '../stock-example.ts';

/** Returns the levels of the product and of its live variants [catalog-83]. */
export const getProductStockOperation = readOperation({
  id: 'getProductStock',
  method: 'GET',
  path: '/products/:tuId/stock',
  tag: 'Stock',
  summary: 'Read the stock of a product',
  description: `Every level of the product and of its live variants, and what follows from them. The filters narrow what is shown:
\`location\` the levels, \`variant\` the variants; \`availability\` stays that of the whole product, or variant.`,
  access: ['catalog.stock:read'],
  params: ProductParams,
  query: Type.Object({
    location: ExactFilter({
      description: 'The `external_code` of a location; with an unknown one no levels are shown.',
      examples: ['WH-BERLIN'],
    }),
    variant: ExactFilter({
      description: 'The `tu_id` of a variant of this product; with an unknown one no variants are shown.',
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
    const filter = {
      ...(query.location !== undefined && { location: query.location }),
      ...(query.variant !== undefined && { variant: query.variant }),
    };
    const stock = await getProductStock(database, caller.brandId, params.tuId, filter);
    return { status: 200, body: productStockToWire(stock, clock.now()) };
  },
});
