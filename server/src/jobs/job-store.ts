import type { BrandReach, OwnedAccess } from '../api/access.ts';
import type { Page } from '../api/pagination.ts';
import { orderOf, type Sort } from '../api/sort.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { type JobRun, jobRunColumns } from '../queue/queue-store.ts';
import { queueNames } from './job.ts';

export const unfinishedStates = ['queued', 'running', 'failed'] as const;

export interface JobFilter {
  readonly state?: Job['state'] | undefined;
  readonly queue?: string | undefined;
  /** The brand that the job works for. */
  readonly brandId?: number | undefined;
  /** Only jobs that work for one of these brands; null or absent: all jobs. */
  readonly brandIds?: BrandReach;
}

export interface Job extends Omit<JobRun, 'state'> {
  readonly queue: string;
  readonly state: (typeof unfinishedStates)[number];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly retries: number;
  readonly createdAt: Date;
  /** The earliest start of a queued job; null: it is not queued. */
  readonly nextRunAt: Date | null;
}

const nextRunAt = `case when state in ('created', 'retry') then start_after end`;
export const jobColumns = `${jobRunColumns}, name as queue, data, retry_count as retries, created_on as "createdAt",
  ${nextRunAt} as "nextRunAt"`;

/** Those of a list that is not grouped, which has no `count`. */
const jobSortColumns = {
  last_at: ['created_on', 'id'],
  retries: 'retry_count',
  next_run_at: nextRunAt,
} as const;

type JobSort = Sort<keyof typeof jobSortColumns>;

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

/**
 * Returns one page of the queued, running and failed jobs that match, newest first unless sorted, and their total number. Every
 * order reads all that match.
 */
export function listJobs(
  database: Database,
  filter: JobFilter,
  page: Page,
  sort?: JobSort,
): Promise<{ rows: Job[]; total: number }> {
  const where = jobConditions(filter);
  const { code, orderBy } = orderOf(jobSortColumns, sort, 'created_on desc, id desc');
  const name = `jobs/${filter.state ?? ''}${where.code}${code}`;
  return readPage(database, { name, columns: jobColumns, from: 'pgboss.job', where, orderBy }, page);
}

/** Returns a job that `listJobs` would list; null if it is completed or does not exist. */
export async function findJob(database: Queryable, id: string): Promise<Job | null> {
  const rows = await database.run(
    statement<Job>('find_job', `select ${jobColumns} from pgboss.job where ${isListed} and id = $2`, [
      queueNames,
      id,
    ]),
  );
  return rows[0] ?? null;
}

export interface JobDetail extends Omit<Job, 'state'> {
  readonly state: JobRun['state'];
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** Returns null if there is no such job, or it was deleted after its retention. */
export async function findJobDetail(database: Database, id: string): Promise<JobDetail | null> {
  const rows = await database.run(
    statement<JobDetail>(
      'find_job_detail',
      `select ${jobColumns}, case when state = 'completed' and jsonb_typeof(output) = 'object' then output end as result
       from pgboss.job where name = any($1::text[]) and id = $2`,
      [queueNames, id],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const ownedJob: OwnedAccess = {
  findBrandId: async (database, { id = '' }) => {
    if (!uuid.test(id)) return null;
    const rows = await database.run(
      statement<{ brandId: number | null }>(
        'find_brand_of_job',
        `select (data ->> 'brand_id')::integer as "brandId" from pgboss.job where name = any($1::text[]) and id = $2`,
        [queueNames, id],
      ),
    );
    return rows[0]?.brandId ?? null;
  },
};

/** Locks up to `limit` failed jobs that match, the oldest first, and returns their ids by queue. Skips those that are locked. */
export async function lockFailedJobs(
  tx: Transaction,
  filter: JobFilter,
  limit: number,
): Promise<Map<string, string[]>> {
  const where = jobConditions({ ...filter, state: 'failed' });
  const { code } = where;
  const rows = await tx.run(
    statement<{ id: string; name: string }>(
      `lock_failed_jobs/${code}`,
      `select id, name from pgboss.job where ${where.sql}
       order by created_on, id limit ${where.parameter(limit)} for update skip locked`,
      where.values,
    ),
  );
  const ids = new Map<string, string[]>();
  for (const { id, name } of rows) {
    const ofQueue = ids.get(name);
    if (ofQueue === undefined) ids.set(name, [id]);
    else ofQueue.push(id);
  }
  return ids;
}
