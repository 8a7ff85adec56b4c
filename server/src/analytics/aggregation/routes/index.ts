import type { Operation } from '../../../api/operation.ts';
import { aggregateDaysOperation } from './aggregate-days.ts';
import { listAggregatedDaysOperation } from './list-aggregated-days.ts';

export const aggregationOperations: readonly Operation[] = [
  aggregateDaysOperation, // POST /brands/:id/aggregations
  listAggregatedDaysOperation, //  GET  /brands/:id/aggregations
];
