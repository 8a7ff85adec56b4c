import type { Operation } from '../../api/operation.ts';
import { getRequestOperation } from './get-request.ts';

export const requestOperations: readonly Operation[] = [
  getRequestOperation, // GET /requests/:requestId
];
