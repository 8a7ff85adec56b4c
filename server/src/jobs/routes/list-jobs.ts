import { Type } from 'typebox';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { JobWire, jobExample, jobToWire } from '../job-wire.ts';
import { listJobs } from '../queries/job-list.ts';

export const listJobsOperation = readOperation({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'Feeds and jobs',
  summary: 'List jobs',
  description: 'Lists queued, running and failed jobs, oldest first. Completed jobs are not listed.',
  access: 'brands',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of jobs.',
      schema: listOf(JobWire),
      example: exampleListOf(jobExample),
    },
  },
  handle: async ({ database }, { query }) => {
    const page = pageOf(query);
    const { jobs, total } = await listJobs(database, page);
    return { status: 200, body: { data: jobs.map(jobToWire), meta: pageMeta(page, total) } };
  },
});
