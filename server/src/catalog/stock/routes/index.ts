import type { Operation } from '../../../api/operation.ts';
import { adjustStockOperation } from '../adjust-stock.ts';
import type { StockHealthContext } from '../stock-healths.ts';
import { explainStockOperation } from './explain-stock.ts';
import { getStockHealthOperation } from './get-stock-health.ts';
import { listStockLevelsOperation } from './list-stock-levels.ts';
import { listStockMovementsOperation } from './list-stock-movements.ts';

export const levelOperations: readonly Operation[] = [
  listStockLevelsOperation, // GET /stock/levels
];

export const stockOperations: readonly Operation[] = [
  listStockMovementsOperation, // GET  /products/:tuId/stock/movements
  adjustStockOperation, //        POST /products/:tuId/stock/adjust
];

export const stockAdminOperations: readonly Operation<StockHealthContext>[] = [
  explainStockOperation, //   GET /brands/:id/stock/explain
  getStockHealthOperation, // GET /brands/:id/stock-health
];
