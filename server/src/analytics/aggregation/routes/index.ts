import type { Operation } from '../../../api/operation.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { aggregateDaysOperation } from './aggregate-days.ts';
import { listAggregatedDaysOperation } from './list-aggregated-days.ts';
import { listDatasetDaysOperation } from './list-dataset-days.ts';
import { listDatasetLagsOperation } from './list-dataset-lags.ts';

export const aggregationOperations: readonly Operation<AnalyticsContext>[] = [
  aggregateDaysOperation, //      POST /brands/:id/aggregations
  listAggregatedDaysOperation, // GET  /brands/:id/aggregations
  listDatasetDaysOperation, //    GET  /brands/:id/dataset-days
  listDatasetLagsOperation, //    GET  /dataset-lag
];
