import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { ProductParams } from '../../product-params.ts';
import { openAdjustments } from '../adjust-set.ts';
import {
  AdjustStockBody,
  adjustedStockToWire,
  adjustmentFromWire,
  StockAdjustedWire,
} from '../adjust-wire.ts';
import { stockExample } from '../stock-example.ts';

/** Sets an absolute quantity [catalog-85]. */
export const adjustStockOperation = setOperation({
  id: 'adjustStock',
  method: 'POST',
  path: '/products/:tuId/stock/adjust',
  tag: 'Stock',
  summary: 'Set a stock quantity',
  description: `Sets the quantity of a product or variant at one location to an absolute value, and records the change in the ledger.

If you computed the quantity from one that you read earlier, send that one as \`expected_quantity\`: if the stock has changed since,
the response is \`409 stock_version_conflict\` with \`current_quantity\`, and nothing is changed. A level that a feed has dated in the
future returns \`409 rejected_stale\` with \`source_updated_at\`. Reservations are kept.`,
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
  set: {
    lock: 'stock',
    open: async (tx, requests, options) => {
      const set = await openAdjustments(tx, requests.map(adjustmentFromWire), options);
      return mapSet(set, (adjusted) => ({ status: 200, body: adjustedStockToWire(adjusted) }));
    },
  },
});
