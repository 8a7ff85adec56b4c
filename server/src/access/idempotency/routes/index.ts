import type { Operation } from '../../../api/operation.ts';
import { listIdempotencyKeyUsesOperation } from './list-idempotency-key-uses.ts';

export const idempotencyOperations: readonly Operation[] = [
  listIdempotencyKeyUsesOperation, // GET /brands/:id/idempotency-keys/:key
];
