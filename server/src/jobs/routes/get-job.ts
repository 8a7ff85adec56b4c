import { readOperation } from '../../api/operation.ts';
import { notFound } from '../../errors/api-error.ts';
import { JobDetailWire, JobParams, jobDetailExample, jobDetailToWire } from '../job-wire.ts';
import { findJobDetail, ownedJob } from '../queries/find-job-detail.ts';

/** Finds finished jobs too [internal-41]. */
export const getJobOperation = readOperation({
  id: 'getJob',
  method: 'GET',
  path: '/jobs/:id',
  tag: 'Feeds and jobs',
  summary: 'Get a job',
  description:
    'Returns a job in any state. An aggregation of a long window is kept for 7 days after completion, other jobs for one day.',
  access: ownedJob,
  params: JobParams,
  responses: { 200: { description: 'The job.', schema: JobDetailWire, example: jobDetailExample } },
  handle: async ({ database }, { params }) => {
    const job = await findJobDetail(database, params.id);
    if (job === null) throw notFound();
    return { status: 200, body: jobDetailToWire(job) };
  },
});
