import type { Operation, ServiceContext } from '../../../api/operation.ts';
import type { LeakContext } from '../leak-service.ts';
import { findLeaksOperation } from './find-leaks.ts';

export const leakOperations: readonly Operation<LeakContext & ServiceContext>[] = [
  findLeaksOperation, // POST /leaks
];
