import type { Operation } from '../../api/operation.ts';
import type { OverviewContext } from '../overview-context.ts';
import { getOverviewOperation } from './get-overview.ts';

export const overviewOperations: readonly Operation<OverviewContext>[] = [
  getOverviewOperation, // GET /overview
];
