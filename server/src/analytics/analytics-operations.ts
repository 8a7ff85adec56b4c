import type { Operation } from '../api/operation.ts';
import {
  aggregateDaysOperation,
  listAggregatedDaysOperation,
  listDatasetDaysOperation,
  listDatasetLagsOperation,
} from './aggregation/aggregation-operations.ts';
import { getDatasetDayOperation } from './aggregation/dataset-day.ts';
import type { AnalyticsContext } from './analytics-context.ts';
import { servedDatasets } from './datasets/dataset-operations.ts';
import { getAnalyticsStatusOperation } from './datasets/status.ts';
import { postLearningEventsOperation } from './events/event-operations.ts';

/** Everything below `/v1/client/analytics`, in the order of the reference. */
export const datasetOperations: readonly Operation<AnalyticsContext>[] = [
  getAnalyticsStatusOperation, // GET /status
  ...Object.values(servedDatasets).map(({ operation }) => operation), // GET, the path of each dataset
];

export const aggregationOperations: readonly Operation<AnalyticsContext>[] = [
  aggregateDaysOperation, //      POST /brands/:id/aggregations
  listAggregatedDaysOperation, // GET  /brands/:id/aggregations
  listDatasetDaysOperation, //    GET  /brands/:id/dataset-days
  getDatasetDayOperation, //      GET  /brands/:id/datasets/:dataset/days/:day
  listDatasetLagsOperation, //    GET  /dataset-lag
];

export const eventOperations: readonly Operation<AnalyticsContext>[] = [
  postLearningEventsOperation, // POST /brands/:id/events
];
