import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../api/pagination.ts';
import { JobsQuery, JobWire, jobExample, jobFilterFromWire, jobToWire } from '../job-wire.ts';
import { listJobs } from '../queries/job-list.ts';

export const listJobsOperation = readOperation({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'Feeds and jobs',
  summary: 'List jobs',
  description:
    'Lists queued, running and failed jobs, oldest first: all of them, or those that match every filter. Completed jobs are not listed.',
  access: 'brands',
  query: JobsQuery,
  responses: {
    200: {
      description: 'One page of jobs.',
      schema: listOf(JobWire),
      example: exampleListOf(jobExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    return pageReply(
      query,
      (page) => listJobs(database, { ...jobFilterFromWire(query), brandIds }, page),
      jobToWire,
    );
  },
});
