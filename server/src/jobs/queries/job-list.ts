import type { BrandReach } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';
import { type JobRunRow, jobRunColumns } from './job-run.ts';

export const unfinishedStates = ['queued', 'running', 'failed'] as const;

export interface JobFilter {
  readonly state?: Job['state'];
  readonly queue?: string;
  /** The brand that the job works for. */
  readonly brandId?: number;
  /** Only jobs that work for one of these brands; null or absent: all jobs. */
  readonly brandIds?: BrandReach;
}

/** An unfinished job: waiting, running, or failed permanently. */
export interface Job {
  readonly id: string;
  readonly queue: string;
  readonly state: (typeof unfinishedStates)[number];
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Number of retries. */
  readonly retries: number;
  readonly createdAt: Date;
  /** The start time, or the earliest possible one. */
  readonly startedAt: Date | null;
  /** The last error. */
  readonly error: string | null;
}

export interface JobRow<State = Job['state']> extends JobRunRow<State> {
  readonly name: string;
  readonly data: Job['data'];
  readonly retry_count: number;
  readonly created_on: Date;
}

export const jobColumns = `${jobRunColumns}, name, data, retry_count, created_on`;
const statesOf: Readonly<Record<Job['state'], string>> = {
  queued: `'created', 'retry'`,
  running: `'active'`,
  failed: `'failed'`,
};
const isListed = `name = any($1::text[]) and state in (${Object.values(statesOf).join(', ')})`;

/**
 * The conditions of a filter on `pgboss.job`, named by their code. Few of the stored jobs are unfinished, but completed ones are
 * kept for a day: without a queue, all of them are read.
 */
export function jobConditions({ state, queue, brandId, brandIds }: JobFilter): Conditions {
  const states = state === undefined ? Object.values(statesOf).join(', ') : statesOf[state];
  const where = new Conditions([`state in (${states})`], []);
  if (queue === undefined) where.add('_', (parameter) => `name = any(${parameter}::text[])`, queueNames);
  else where.add('_of_queue', (parameter) => `name = ${parameter}`, queue);
  where.add('_of_brand', (parameter) => `data ->> 'brand_id' = ${parameter}`, brandId?.toString());
  const reach = brandIds?.map(String);
  where.add('_of_brands', (parameter) => `data ->> 'brand_id' = any(${parameter}::text[])`, reach);
  return where;
}

/** Returns one page of the queued, running and failed jobs that match, oldest first, and their total number. */
export async function listJobs(
  database: Database,
  filter: JobFilter,
  page: Page,
): Promise<{ jobs: Job[]; total: number }> {
  const where = jobConditions(filter);
  const code = `${filter.state ?? ''}${where.code}`;
  const matches = `from pgboss.job where ${where.sql}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<JobRow>(
        `list_jobs/${code}`,
        `select ${jobColumns} ${matches} order by created_on, id ${limit}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(`count_jobs/${code}`, `select count(*) as total ${matches}`, values, {
        long: true,
      }),
    ),
  ]);
  return { jobs: rows.map(jobFromRow), total: counts[0]?.total ?? 0 };
}

/** Returns a job that `listJobs` would list; null if it is completed or does not exist. */
export async function findJob(database: Queryable, id: string): Promise<Job | null> {
  const rows = await database.run(
    statement<JobRow>('find_job', `select ${jobColumns} from pgboss.job where ${isListed} and id = $2`, [
      queueNames,
      id,
    ]),
  );
  return rows[0] === undefined ? null : jobFromRow(rows[0]);
}

export function jobFromRow<State>(row: JobRow<State>): Omit<Job, 'state'> & { readonly state: State } {
  return {
    id: row.id,
    queue: row.name,
    state: row.state,
    data: row.data,
    retries: row.retry_count,
    createdAt: row.created_on,
    startedAt: row.started_on,
    error: row.error,
  };
}
