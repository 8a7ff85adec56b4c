import { writeOperation } from '../../api/operation.ts';
import { retryJobs } from '../job-service.ts';
import { jobFilterFromWire, RetriedJobsWire, RetryJobsBody } from '../job-wire.ts';

export const retryJobsOperation = writeOperation({
  id: 'retryJobs',
  method: 'POST',
  path: '/jobs/retry',
  tag: 'Feeds and jobs',
  summary: 'Retry all failed jobs',
  description:
    'Queues all failed jobs that match the filter again; without a body, all failed jobs. Queued, running and completed jobs are left unchanged.',
  access: 'brands',
  body: RetryJobsBody,
  bodyOptional: true,
  bodyExample: { state: 'failed', queue: 'apply-stock-feeds' },
  responses: {
    202: {
      description: 'The jobs are queued.',
      schema: RetriedJobsWire,
      example: { retried: 3 },
    },
  },
  handle: async (tx, { body, brandIds }, { jobs }) => {
    const filter = { ...jobFilterFromWire(body), brandIds };
    return { status: 202, body: { retried: await retryJobs(tx, jobs, filter) } };
  },
});
