import type { Operation } from '../../../api/operation.ts';
import type { RateLimitContext } from './list-brand-limits.ts';
import { listBrandLimitsOperation } from './list-brand-limits.ts';

export const rateLimitOperations: readonly Operation<RateLimitContext>[] = [
  listBrandLimitsOperation, // GET /brands/:id/limits
];
