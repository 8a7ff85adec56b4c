import type { Operation } from '../../api/operation.ts';
import { createBrandOperation } from './create-brand.ts';
import { getBrandOperation } from './get-brand.ts';
import { updateBrandOperation } from './update-brand.ts';

export const brandOperations: readonly Operation[] = [
  createBrandOperation, // POST  /brands
  getBrandOperation, //    GET   /brands/:id
  updateBrandOperation, // PATCH /brands/:id
];
