import type { Operation } from '../../../api/operation.ts';
import { getProductStockOperation } from './get-product-stock.ts';

export const productStockOperations: readonly Operation[] = [
  getProductStockOperation, // GET /products/:tuId/stock
];
