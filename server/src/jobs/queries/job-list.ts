import type { Page } from '../../api/pagination.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';

/** An unfinished job: waiting, running, or failed permanently. */
export interface Job {
  readonly id: string;
  readonly queue: string;
  readonly state: 'queued' | 'running' | 'failed';
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Number of retries. */
  readonly retries: number;
  readonly createdAt: Date;
  /** The start time, or the earliest possible one. */
  readonly startedAt: Date | null;
  /** The last error. */
  readonly error: string | null;
}

interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly state: Job['state'];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly retry_count: number;
  readonly created_on: Date;
  readonly started_on: Date | null;
  readonly error: string | null;
}

// pg-boss has no call for one page across all queues; the table is part of its documentation.
const columns = `id, name,
  case when state in ('created', 'retry') then 'queued' when state = 'active' then 'running' else 'failed' end as state,
  data, retry_count, created_on, started_on, coalesce(output ->> 'message', output -> 'value' ->> 'message') as error`;
const isListed = `name = any($1::text[]) and state in ('created', 'retry', 'active', 'failed')`;

/** Returns one page of the queued, running and failed jobs, oldest first, and their total number. */
export async function listJobs(database: Database, page: Page): Promise<{ jobs: Job[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<JobRow>(
        'list_jobs',
        `select ${columns} from pgboss.job where ${isListed} order by created_on, id limit $2 offset $3`,
        [queueNames, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_jobs',
        `select count(*) as total from pgboss.job where ${isListed}`,
        [queueNames],
        { long: true },
      ),
    ),
  ]);
  return { jobs: rows.map(jobFromRow), total: counts[0]?.total ?? 0 };
}

/** Returns a job that `listJobs` would list; null if it is completed or does not exist. */
export async function findJob(database: Queryable, id: string): Promise<Job | null> {
  const rows = await database.run(
    statement<JobRow>('find_job', `select ${columns} from pgboss.job where ${isListed} and id = $2`, [
      queueNames,
      id,
    ]),
  );
  return rows[0] === undefined ? null : jobFromRow(rows[0]);
}

function jobFromRow(row: JobRow): Job {
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
