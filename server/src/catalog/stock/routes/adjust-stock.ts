import { writeOperation } from '../../../api/operation.ts';
import { mapReplies } from '../../../api/shared-handling.ts';
import { ProductParams } from '../../product-params.ts';
import { adjustStock, adjustStockTogether } from '../adjust-service.ts';
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
  description: `Sets the quantity of a product or variant at one location to an absolute value, and records the change in the ledger.

If you computed the quantity from one that you read earlier, send that one as \`expected_quantity\`: if the stock has changed since,
the response is \`409 stock_version_conflict\` with \`current_quantity\`, and nothing is changed. A level that a feed has dated in the
future returns \`409 rejected_stale\`. Reservations are kept.`,
  access: ['catalog.stock:write'],
  idempotency: 'required',
  params: ProductParams,
  body: AdjustStockBody,
  bodyExample: stockExample.adjust,
  responses: {
    200: {
      description: 'The updated level and the movement.',
      schema: StockAdjustedWire,
      example: { level: stockExample.level, movement: stockExample.movement },
    },
  },
  errors: ['stock_version_conflict', 'rejected_stale'],
  handle: async (tx, { caller, requestId, params, body }) => {
    const adjustment = adjustmentFromWire(body, { keyId: caller.keyId, requestId });
    const adjusted = await adjustStock(tx, caller.brandId, params.tuId, adjustment);
    return { status: 200, body: adjustedStockToWire(adjusted) };
  },
  shared: {
    maxRequests: 64,
    handle: async (tx, requests) => {
      const adjustments = requests.map(({ caller, requestId, params, body }) => ({
        brandId: caller.brandId,
        productTuId: params.tuId,
        adjustment: adjustmentFromWire(body, { keyId: caller.keyId, requestId }),
      }));
      const results = await adjustStockTogether(tx, adjustments);
      return mapReplies(results, (adjusted) => ({ status: 200, body: adjustedStockToWire(adjusted) }));
    },
  },
});
