import { type Static, Type } from 'typebox';
import { exampleIds, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { pageQuery } from '../api/pagination.ts';
import { sortQuery } from '../api/sort.ts';
import { queueNames } from './job.ts';
import { type JobGroup, jobGroupSortColumns, mostGroupedJobs } from './job-failures-store.ts';
import { type Job, type JobDetail, type JobFilter, unfinishedStates } from './job-store.ts';

/** Any other string identifies no job. */
export const JobParams = Type.Object({
  id: Type.String({
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    description: 'Id of the job, a UUID.',
    examples: [exampleIds.job],
  }),
});

const filterFields = {
  state: Type.Optional(
    Type.Unsafe<Job['state']>({
      type: 'string',
      enum: [...unfinishedStates],
      description: 'Only jobs in this state.',
      examples: ['failed'],
    }),
  ),
  queue: Type.Optional(
    Type.String({
      enum: [...queueNames],
      description: 'Only jobs of this queue.',
      examples: ['apply-stock-feeds'],
    }),
  ),
  brand_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only jobs that work for this brand.',
      examples: [1],
    }),
  ),
};

export const JobsQuery = Type.Object({
  ...filterFields,
  group: Type.Optional(
    Type.Boolean({
      description: `\`true\`: jobs of a queue that failed for the same reason as one row, the last of them, and the newest rows first. Errors that
differ in ids and numbers only are the same reason. The newest ${mostGroupedJobs} jobs that match are grouped.`,
      examples: [true],
    }),
  ),
  ...sortQuery(
    jobGroupSortColumns,
    '`-last_at`, newest first',
    ' Without `group`, `last_at` is `created_at`, and `count` is refused.',
  ),
  ...pageQuery,
});

export const RetryJobsBody = NamedObject('JobsRetry', filterFields);

export const RetriedJobsWire = NamedObject('JobsRetried', {
  retried: Type.Integer({ minimum: 0, description: 'Number of jobs that are queued again.' }),
});

export function jobFilterFromWire({ state, queue, brand_id }: Static<typeof RetryJobsBody>): JobFilter {
  return { state, queue, brandId: brand_id };
}

export const JobWire = NamedObject('Job', {
  id: Type.String(),
  queue: Type.String({ description: 'The kind of work.' }),
  state: Type.String({ enum: [...unfinishedStates] }),
  data: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    description: 'The job’s arguments.',
  }),
  retries: Type.Integer({ description: 'Number of retries.' }),
  created_at: Timestamp(),
  started_at: Nullable(Timestamp()),
  next_run_at: Nullable(Timestamp(), {
    description: 'The earliest start of a queued job; null: it is not queued.',
  }),
  error: Nullable(Type.String(), { description: 'The last error.' }),
  count: Type.Optional(
    Type.Integer({ minimum: 1, description: 'With `group`: the jobs that failed for the same reason.' }),
  ),
  first_at: Type.Optional(
    Timestamp({
      description:
        'With `group`: when the first of them failed; of a job that has not failed, when it was created.',
    }),
  ),
  last_at: Type.Optional(Timestamp({ description: 'With `group`: when the last of them failed.' })),
});

const { count: _count, first_at: _first, last_at: _last, ...ownFields } = JobWire.properties;

export const jobExample: Static<typeof JobWire> = {
  id: exampleIds.job,
  queue: 'apply-stock-feeds',
  state: 'failed',
  data: { brand_id: 1 },
  retries: 10,
  created_at: '2026-03-01T08:30:00.000Z',
  started_at: '2026-03-01T08:30:00.300Z',
  next_run_at: null,
  error: 'Connection terminated unexpectedly',
};

/** A job as found by its id, even if completed. */
export const JobDetailWire = NamedObject('JobDetail', {
  ...ownFields,
  state: Type.String({ enum: [...unfinishedStates, 'completed'] }),
  finished_at: Nullable(Timestamp()),
  result: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    description: 'The result of a completed job, if it reports one.',
  }),
});

export const jobDetailExample: Static<typeof JobDetailWire> = {
  ...jobExample,
  queue: 'aggregate-window',
  state: 'completed',
  data: { brand_id: 1, from: '2025-01-01', to: '2025-12-31', requested_at: '2026-03-01T08:30:00.000Z' },
  retries: 0,
  error: null,
  finished_at: '2026-03-01T08:31:12.512Z',
  result: { days: 365, rows: { daily: 1095, contents: 4380, users: 9855, content_engagement: 14965 } },
};

export function jobDetailToWire(job: JobDetail): Static<typeof JobDetailWire> {
  const { finishedAt, result } = job;
  return { ...jobToWire(job), finished_at: finishedAt?.toISOString() ?? null, result };
}

export function jobGroupToWire(group: JobGroup): Static<typeof JobWire> {
  const { count, firstAt, lastAt } = group;
  return { ...jobToWire(group), count, first_at: firstAt.toISOString(), last_at: lastAt.toISOString() };
}

export function jobToWire<State>(job: Omit<Job, 'state'> & { readonly state: State }) {
  return {
    id: job.id,
    queue: job.queue,
    state: job.state,
    data: job.data,
    retries: job.retries,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    next_run_at: job.nextRunAt?.toISOString() ?? null,
    error: job.error,
  };
}
