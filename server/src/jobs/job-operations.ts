import { type Static, Type } from 'typebox';
import { exampleIds } from '../api/example-ids.ts';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation, writeOperation } from '../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery, pageReply } from '../api/pagination.ts';
import { notFound } from '../errors/api-error.ts';
import type { ScheduledJob } from './job.ts';
import { retryJob, retryJobs } from './job-service.ts';
import {
  JobDetailWire,
  JobParams,
  JobsQuery,
  JobWire,
  jobDetailExample,
  jobDetailToWire,
  jobExample,
  jobFilterFromWire,
  jobToWire,
  RetriedJobsWire,
  RetryJobsBody,
} from './job-wire.ts';
import { LastRunWire, lastRunToWire } from './last-run-wire.ts';
import { findJobDetail, ownedJob } from './queries/find-job-detail.ts';
import { listJobs } from './queries/job-list.ts';
import { type LastRun, listLastRuns } from './queries/last-runs.ts';
import { scheduledJobs } from './registry.ts';

const listJobsOperation = readOperation({
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

export const ScheduleWire = Type.Object({
  queue: Type.String({ description: 'The kind of work, as in jobs.' }),
  cron: Type.String({ description: 'Minute, hour, day of the month, month, day of the week; UTC.' }),
  next_run_at: Timestamp(),
  last_run: Nullable(LastRunWire, {
    description:
      'The last job of the schedule. null: none was queued yet, or it was deleted a day after it was completed.',
  }),
});

const scheduleExample: Static<typeof ScheduleWire> = {
  queue: 'aggregate-days',
  cron: '5 0 * * *',
  next_run_at: '2026-03-02T00:05:00.000Z',
  last_run: {
    job_id: exampleIds.job,
    state: 'completed',
    started_at: '2026-03-01T00:05:00.400Z',
    finished_at: '2026-03-01T00:05:09.412Z',
    error: null,
  },
};

const listSchedulesOperation = readOperation({
  id: 'listSchedules',
  method: 'GET',
  path: '/schedules',
  tag: 'Feeds and jobs',
  summary: 'List schedules',
  description:
    'Lists the jobs that run on a schedule, with the last run and the next one. A time that was missed because no worker ran is made up for once. `make-backup` runs only if a worker has a directory for backups, `send-alerts` only if one has a webhook.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of schedules.',
      schema: listOf(ScheduleWire),
      example: exampleListOf(scheduleExample),
    },
  },
  handle: async ({ database, jobs, clock }, { query }) => {
    const page = pageOf(query);
    const lastRuns = new Map((await listLastRuns(database)).map((run) => [run.queue, run]));
    const now = new Date(clock.now());
    const data = scheduledJobs
      .slice(page.offset, page.offset + page.size)
      .map((job) => scheduleToWire(job, lastRuns.get(job.name), jobs.nextTimeOf(job.cron, now)));
    return { status: 200, body: { data, meta: pageMeta(page, scheduledJobs.length) } };
  },
});

function scheduleToWire(
  { name, cron }: ScheduledJob,
  last: LastRun | undefined,
  next: Date,
): Static<typeof ScheduleWire> {
  return {
    queue: name,
    cron,
    next_run_at: next.toISOString(),
    last_run: last === undefined ? null : lastRunToWire(last),
  };
}

export const jobOperations: readonly Operation[] = [
  listJobsOperation,
  getJobOperation,
  retryJobOperation,
  retryJobsOperation,
  listSchedulesOperation,
];
