import type { Operation } from '../../../api/operation.ts';
import { getProductAxesOperation } from './get-product-axes.ts';
import { replaceProductAxesOperation } from './replace-product-axes.ts';

export const axisSelectionOperations: readonly Operation[] = [
  getProductAxesOperation, //     GET /products/:tuId/axes
  replaceProductAxesOperation, // PUT /products/:tuId/axes
];
