import type { Operation } from '../../../api/operation.ts';
import { adjustStockOperation } from './adjust-stock.ts';
import { getProductStockOperation } from './get-product-stock.ts';
import { listStockLevelsOperation } from './list-stock-levels.ts';
import { listStockMovementsOperation } from './list-stock-movements.ts';

export const stockOperations: readonly Operation[] = [
  listStockLevelsOperation, //       GET   /stock/levels
  getProductStockOperation, //  GET   /products/:tuId/stock
  listStockMovementsOperation, //    GET   /products/:tuId/stock/movements
  adjustStockOperation, //      POST  /products/:tuId/stock/adjust
];
