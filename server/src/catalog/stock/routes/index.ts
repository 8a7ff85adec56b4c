import type { Operation } from '../../../api/operation.ts';
import { adjustStockOperation } from './adjust-stock.ts';
import { getProductStockOperation } from './get-product-stock.ts';
import { listLevelsOperation } from './list-levels.ts';
import { listMovementsOperation } from './list-movements.ts';

export const stockOperations: readonly Operation[] = [
  listLevelsOperation, //       GET   /stock/levels
  getProductStockOperation, //  GET   /products/:tuId/stock
  listMovementsOperation, //    GET   /products/:tuId/stock/movements
  adjustStockOperation, //      POST  /products/:tuId/stock/adjust
];
