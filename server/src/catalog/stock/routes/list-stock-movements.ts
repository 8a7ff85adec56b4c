import { Type } from 'typebox';
import { exampleIds } from '../../../api/example-ids.ts';
import { ExactFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { findProductVersion } from '../../brand-catalog-store.ts';
import { ProductParams } from '../../catalog-requests.ts';
import { listMovementsUnless } from '../queries/movement-list.ts';
import { stockExample } from '../stock-example.ts';
import { StockMovementWire, stockMovementToWire } from '../stock-movement-wire.ts';

/** Lists the newest movement first [catalog-82]. */
export const listStockMovementsOperation = readOperation({
  id: 'listStockMovements',
  method: 'GET',
  path: '/products/:tuId/stock/movements',
  tag: 'Stock',
  summary: 'List the stock movements of a product',
  description: `The ledger of the product and its variants, newest first: every change of a quantity by an adjustment or feed. The movements of
a level add up to its quantity. Includes movements of deleted variants.`,
  access: ['catalog.stock:read'],
  params: ProductParams,
  query: Type.Object({
    location: ExactFilter({
      description: 'The `external_code` of a location; an unknown one matches nothing.',
      examples: ['WH-BERLIN'],
    }),
    variant: ExactFilter({
      description: 'The `tu_id` of a variant of this product; an unknown one matches nothing.',
      examples: [exampleIds.variant],
    }),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of movements.',
      schema: listOf(StockMovementWire),
      example: exampleListOf(stockExample.movement),
    },
  },
  handle: async ({ database }, { caller, params, query, known }) => {
    const page = pageOf(query);
    const request = { filter: query, page, known };
    const list = await listMovementsUnless(database, caller.brandId, params.tuId, request);
    if (list === null) return unchanged;
    return {
      status: 200,
      body: { data: list.movements.map(stockMovementToWire), meta: pageMeta(page, list.total) },
      version: { state: list.version },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findProductVersion(database, caller.brandId, params.tuId),
});
