import { writeOperation } from '../../api/operation.ts';
import { retryJob } from '../job-service.ts';
import { JobParams, JobWire, jobExample, jobToWire } from '../job-wire.ts';

export const retryJobOperation = writeOperation({
  id: 'retryJob',
  method: 'POST',
  path: '/jobs/:id/retry',
  tag: 'Feeds and jobs',
  summary: 'Try a failed job again',
  description:
    'Queues it once more. A job that is queued or running is on its way already, and stays as it is. One that is done is 404.',
  access: 'admin',
  idempotency: 'ignored',
  params: JobParams,
  responses: {
    202: {
      description: 'The job as it is now.',
      schema: JobWire,
      example: { ...jobExample, state: 'queued' },
    },
  },
  handle: async (tx, { params }, { jobs }) => {
    return { status: 202, body: jobToWire(await retryJob(tx, jobs, params.id)) };
  },
});
