import type { Operation } from '../../../api/operation.ts';
import type { RateLimitContext } from '../rate-limits.ts';
import { limitBrandOperation } from './limit-brand.ts';
import { limitKeyOperation } from './limit-key.ts';
import { listBrandLimitsOperation } from './list-brand-limits.ts';
import { resetBrandLimitsOperation } from './reset-brand-limits.ts';
import { resetKeyLimitsOperation } from './reset-key-limits.ts';

export const rateLimitOperations: readonly Operation<RateLimitContext>[] = [
  listBrandLimitsOperation, //  GET    /brands/:id/limits
  limitBrandOperation, //       PUT    /brands/:id/limits
  resetBrandLimitsOperation, // DELETE /brands/:id/limits
  limitKeyOperation, //         PUT    /keys/:key_id/limits
  resetKeyLimitsOperation, //   DELETE /keys/:key_id/limits
];
