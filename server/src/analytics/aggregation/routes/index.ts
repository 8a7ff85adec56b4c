import type { Operation } from '../../../api/operation.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { datasetDayOperations } from '../dataset-day-operations.ts';
import { aggregateDaysOperation } from './aggregate-days.ts';
import { listDatasetLagsOperation } from './list-dataset-lags.ts';

export const aggregationOperations: readonly Operation<AnalyticsContext>[] = [
  aggregateDaysOperation, //   POST /brands/:id/aggregations
  ...datasetDayOperations,
  listDatasetLagsOperation, // GET  /dataset-lag
];
