import type { Operation } from '../../../api/operation.ts';
import { createAggregationOperation } from './create-aggregation.ts';
import { listAggregationsOperation } from './list-aggregations.ts';

export const aggregationOperations: readonly Operation[] = [
  createAggregationOperation, // POST /brands/:id/aggregations
  listAggregationsOperation, //  GET  /brands/:id/aggregations
];
