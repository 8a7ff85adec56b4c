import type { Operation } from '../../api/operation.ts';
import { getJobOperation } from './get-job.ts';
import { listJobsOperation } from './list-jobs.ts';
import { listSchedulesOperation } from './list-schedules.ts';
import { retryJobOperation } from './retry-job.ts';
import { retryJobsOperation } from './retry-jobs.ts';

export const jobOperations: readonly Operation[] = [
  listJobsOperation, //      GET  /jobs
  getJobOperation, //        GET  /jobs/:id
  retryJobOperation, //      POST /jobs/:id/retry
  retryJobsOperation, //     POST /jobs/retry
  listSchedulesOperation, // GET  /schedules
];
