import type { Operation } from '../../../api/operation.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { getAnalyticsStatusOperation } from './get-analytics-status.ts';
import { listContentMetricsOperation } from './list-content-metrics.ts';
import { listDailyMetricsOperation } from './list-daily-metrics.ts';
import { listUserContentsOperation } from './list-user-contents.ts';
import { listUserDaysOperation } from './list-user-days.ts';

/** Everything below `/v1/client/analytics`, in the order of the reference. */
export const datasetOperations: readonly Operation<AnalyticsContext>[] = [
  getAnalyticsStatusOperation, // GET /status
  listDailyMetricsOperation, //   GET /metrics/daily
  listContentMetricsOperation, // GET /metrics/contents
  listUserDaysOperation, //       GET /users/daily
  listUserContentsOperation, //   GET /users/contents
];
