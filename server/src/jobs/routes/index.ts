import type { Operation } from '../../api/operation.ts';
import { listJobsOperation } from './list-jobs.ts';
import { retryJobOperation } from './retry-job.ts';

/** Internal surface, Feeds and jobs. */
export const jobOperations: readonly Operation[] = [
  listJobsOperation, // GET  /jobs
  retryJobOperation, // POST /jobs/:id/retry
];
