import type { Operation } from '../../../api/operation.ts';
import { listRefusalsOperation } from './list-refusals.ts';

export const refusalOperations: readonly Operation[] = [
  listRefusalsOperation, // GET /brands/:id/refusals
];
