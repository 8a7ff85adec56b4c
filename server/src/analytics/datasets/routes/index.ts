import type { Operation } from '../../../api/operation.ts';
import { getAnalyticsStatus } from './get-analytics-status.ts';
import { listContentMetrics } from './list-content-metrics.ts';
import { listDailyMetrics } from './list-daily-metrics.ts';
import { listUserContents } from './list-user-contents.ts';
import { listUserDays } from './list-user-days.ts';

export const datasetOperations: readonly Operation[] = [
  getAnalyticsStatus, // GET /status
  listDailyMetrics, //   GET /metrics/daily
  listContentMetrics, // GET /metrics/contents
  listUserDays, //       GET /users/daily
  listUserContents, //   GET /users/contents
];
