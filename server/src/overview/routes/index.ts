import type { Operation } from '../../api/operation.ts';
import type { OverviewContext } from '../overview-context.ts';
import { getActivityOperation } from './get-activity.ts';
import { getBrandActivityOperation } from './get-brand-activity.ts';
import { getOverviewOperation } from './get-overview.ts';

export const overviewOperations: readonly Operation<OverviewContext>[] = [
  getOverviewOperation, //      GET /overview
  getActivityOperation, //      GET /activity
  getBrandActivityOperation, // GET /brands/:id/activity
];
