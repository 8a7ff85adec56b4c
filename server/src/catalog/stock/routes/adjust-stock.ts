import { writeOperation } from '../../../api/operation.ts';
import { ProductParams } from '../../products/product-wire.ts';
import { adjustStock } from '../adjust-service.ts';
import {
  AdjustStockBody,
  adjustedStockToWire,
  adjustmentFromWire,
  StockAdjustedWire,
} from '../adjust-wire.ts';
import { stockExample } from '../stock-example.ts';

/** Sets an absolute quantity [catalog-85]. */
export const adjustStockOperation = writeOperation({
  id: 'adjustStock',
  method: 'POST',
  path: '/products/:tuId/stock/adjust',
  tag: 'Stock',
  summary: 'Set a stock quantity',
  description: `Sets the quantity of a product or variant at one location to an absolute figure, and writes the change to the ledger.

To work out a figure from one that you have read, send that one as \`expected_quantity\`: when somebody was faster the
answer is \`409 stock_version_conflict\` with \`current_quantity\`, and nothing is changed. A level that a feed has dated
ahead of now is \`409 rejected_stale\`. What is reserved stays.`,
  access: ['catalog.stock:write'],
  idempotency: 'required',
  params: ProductParams,
  body: AdjustStockBody,
  bodyExample: stockExample.adjust,
  responses: {
    200: {
      description: 'The level as it is now, and the movement.',
      schema: StockAdjustedWire,
      example: { level: stockExample.level, movement: stockExample.movement },
    },
  },
  errors: ['stock_version_conflict', 'rejected_stale'],
  handle: async (tx, { caller, params, body }) => {
    const adjustment = adjustmentFromWire(body, caller);
    const adjusted = await adjustStock(tx, caller.brandId, params.tuId, adjustment);
    return { status: 200, body: adjustedStockToWire(adjusted) };
  },
});
