import type { BrandReach } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { Conditions, readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';
import { type JobRun, jobRunColumns } from './job-run.ts';

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
}

export const jobColumns = `${jobRunColumns}, name as queue, data, retry_count as retries, created_on as "createdAt"`;
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
export function listJobs(
  database: Database,
  filter: JobFilter,
  page: Page,
): Promise<{ rows: Job[]; total: number }> {
  const where = jobConditions(filter);
  const name = `jobs/${filter.state ?? ''}${where.code}`;
  const list = { name, columns: jobColumns, from: 'pgboss.job', where, orderBy: 'created_on, id' };
  return readPage(database, list, page);
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
