import type { Operation } from '../../../api/operation.ts';
import { adjustStockOperation } from './adjust-stock.ts';
import { listStockLevelsOperation } from './list-stock-levels.ts';
import { listStockMovementsOperation } from './list-stock-movements.ts';

export const levelOperations: readonly Operation[] = [
  listStockLevelsOperation, // GET /stock/levels
];

export const stockOperations: readonly Operation[] = [
  listStockMovementsOperation, // GET  /products/:tuId/stock/movements
  adjustStockOperation, //        POST /products/:tuId/stock/adjust
];
