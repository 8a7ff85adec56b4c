import type { Operation } from '../api/operation.ts';
import { productOperations } from './products/routes/index.ts';
import { statusOperations } from './status/routes/index.ts';

/** Everything below `/v1/client/catalog`, in the order of the contract's endpoint table. */
export const catalogOperations: readonly Operation[] = [...statusOperations, ...productOperations];
