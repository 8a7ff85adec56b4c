import type { Operation } from '../../api/operation.ts';
import { getJobOperation } from './get-job.ts';
import { listJobsOperation } from './list-jobs.ts';
import { retryJobOperation } from './retry-job.ts';

export const jobOperations: readonly Operation[] = [
  listJobsOperation, // GET  /jobs
  getJobOperation, //   GET  /jobs/:id
  retryJobOperation, // POST /jobs/:id/retry
];
