import { writeOperation } from '../../api/operation.ts';
import { retryJob } from '../job-service.ts';
import { JobParams, JobWire, jobExample, jobToWire } from '../job-wire.ts';
import { ownedJob } from '../queries/find-job-detail.ts';

export const retryJobOperation = writeOperation({
  id: 'retryJob',
  method: 'POST',
  path: '/jobs/:id/retry',
  tag: 'Feeds and jobs',
  summary: 'Retry a failed job',
  description:
    'Queues the job again. A queued or running job is left unchanged. A completed job returns 404.',
  access: ownedJob,
  params: JobParams,
  responses: {
    202: {
      description: 'The updated job.',
      schema: JobWire,
      example: { ...jobExample, state: 'queued' },
    },
  },
  handle: async (tx, { params }, { jobs }) => {
    return { status: 202, body: jobToWire(await retryJob(tx, jobs, params.id)) };
  },
});
