import type { Operation } from '../../../api/operation.ts';
import { listBrandKeyUsageOperation } from './list-brand-key-usage.ts';
import { listKeyUsageOperation } from './list-key-usage.ts';

export const keyUsageOperations: readonly Operation[] = [
  listBrandKeyUsageOperation, // GET /brands/:id/key-usage
  listKeyUsageOperation, //      GET /keys/:key_id/usage
];
