import type { Operation } from '../../../api/operation.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { keysetListOperations } from '../keyset-list-operations.ts';
import { getAnalyticsStatusOperation } from './get-analytics-status.ts';
import { listDailyMetricsOperation } from './list-daily-metrics.ts';

/** Everything below `/v1/client/analytics`, in the order of the reference. */
export const datasetOperations: readonly Operation<AnalyticsContext>[] = [
  getAnalyticsStatusOperation, // GET /status
  listDailyMetricsOperation, //   GET /metrics/daily
  ...keysetListOperations,
];
