import type { Operation } from '../../../api/operation.ts';
import { listSkusOperation } from './list-skus.ts';

export const skuOperations: readonly Operation[] = [
  listSkusOperation, // GET /brands/:id/skus
];
