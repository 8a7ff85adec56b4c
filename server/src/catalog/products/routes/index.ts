import type { Operation } from '../../../api/operation.ts';
import { createProductOperation } from './create-product.ts';
import { getProductOperation } from './get-product.ts';
import { listProductsOperation } from './list-products.ts';
import { updateProductOperation } from './update-product.ts';

export const productOperations: readonly Operation[] = [
  listProductsOperation,
  createProductOperation,
  getProductOperation,
  updateProductOperation,
];
