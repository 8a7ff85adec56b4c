import { type Operation, readOperation, writeOperation } from '../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../api/pagination.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { invalidField, notFound } from '../errors/api-error.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import { listJobGroups } from './job-failures-store.ts';
import {
  findJob,
  findJobDetail,
  type Job,
  type JobFilter,
  listJobs,
  lockFailedJobs,
  ownedJob,
} from './job-store.ts';
import {
  JobDetailWire,
  JobParams,
  JobsQuery,
  JobWire,
  jobDetailExample,
  jobDetailToWire,
  jobExample,
  jobFilterFromWire,
  jobGroupToWire,
  jobToWire,
  RetriedJobsWire,
  RetryJobsBody,
} from './job-wire.ts';

const listJobsOperation = readOperation({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'Feeds and jobs',
  summary: 'List jobs',
  description:
    'Lists queued, running and failed jobs, newest first unless sorted: all of them, or those that match every filter. Completed jobs are not listed. With `group`, jobs that failed for the same reason are one row.',
  access: 'filtered-by-brand',
  query: JobsQuery,
  responses: {
    200: {
      description: 'One page of jobs.',
      schema: listOf(JobWire, 'JobPage'),
      example: exampleListOf(jobExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    const filter = { ...jobFilterFromWire(query), brandIds };
    if (query.group === true)
      return pageReply(query, (page) => listJobGroups(database, filter, page, query.sort), jobGroupToWire);
    const { sort } = query;
    if (sort === 'count' || sort === '-count')
      throw invalidField('sort', 'must not be `count` without `group=true`');
    return pageReply(query, (page) => listJobs(database, filter, page, sort), jobToWire);
  },
});

/** Finds finished jobs too [internal-41]. */
const getJobOperation = readOperation({
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

const retryJobOperation = writeOperation({
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

const retryJobsOperation = writeOperation({
  id: 'retryJobs',
  method: 'POST',
  path: '/jobs/retry',
  tag: 'Feeds and jobs',
  summary: 'Retry all failed jobs',
  description:
    'Queues all failed jobs that match the filter again; without a body, all failed jobs. Queued, running and completed jobs are left unchanged.',
  access: 'filtered-by-brand',
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

export const jobOperations: readonly Operation[] = [
  listJobsOperation,
  getJobOperation,
  retryJobOperation,
  retryJobsOperation,
];

/**
 * Queues a failed job again, in the caller's transaction. A queued or running job is left unchanged.
 * @throws ApiError `not_found` if there is no such job, or it is completed
 */
async function retryJob(tx: AuditedTransaction, jobs: JobSender, id: string): Promise<Job> {
  const job = await findJob(tx, id);
  if (job === null) throw notFound();
  if (job.state !== 'failed') return job;
  await jobs.retry(tx, job.queue, [id]);
  await recordAudit(tx, {
    action: 'job.retry',
    brandId: brandOf(job),
    resourceType: 'job',
    resourceId: id,
    details: { queue: job.queue, data: job.data },
  });
  return (await findJob(tx, id)) ?? job;
}

/** The brand that a job is about; null: of none, such as the nightly run. */
function brandOf({ data }: Job): number | null {
  const { brand_id: brandId } = (data ?? {}) as { brand_id?: unknown };
  return typeof brandId === 'number' ? brandId : null;
}

/** Jobs that are locked and queued again at a time, so that memory is bounded. */
const retriedAtOnce = 5_000;

/**
 * Queues all failed jobs that match the filter again, oldest first, in the caller's transaction, and returns their number. Jobs
 * that another transaction is retrying are left to it.
 */
async function retryJobs(tx: AuditedTransaction, jobs: JobSender, filter: JobFilter): Promise<number> {
  if (filter.state !== undefined && filter.state !== 'failed') return 0;
  let retried = 0;
  for (;;) {
    const failed = await lockFailedJobs(tx, filter, retriedAtOnce);
    for (const [queue, ids] of failed) {
      await jobs.retry(tx, queue, ids);
      retried += ids.length;
    }
    if (failed.size === 0) break;
  }
  if (retried > 0)
    await recordAudit(tx, {
      action: 'job.retry',
      brandId: filter.brandId ?? (filter.brandIds?.length === 1 ? (filter.brandIds[0] ?? null) : null),
      resourceType: 'job',
      resourceId: '*',
      details: { queue: filter.queue ?? null, brand_id: filter.brandId ?? null, jobs: retried },
    });
  return retried;
}
