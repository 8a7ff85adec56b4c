import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';
import type { Job } from './job-list.ts';

/** A job by its id, also one that is done. */
export interface JobDetail extends Omit<Job, 'state'> {
  readonly state: Job['state'] | 'completed';
  readonly finishedAt: Date | null;
  /** The value that the job returned. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** Returns null if there is no such job, or it was deleted after its retention. */
export async function findJobDetail(database: Database, id: string): Promise<JobDetail | null> {
  const rows = await database.run(
    statement<{
      id: string;
      name: string;
      state: JobDetail['state'];
      data: JobDetail['data'];
      retry_count: number;
      created_on: Date;
      started_on: Date | null;
      completed_on: Date | null;
      error: string | null;
      result: JobDetail['result'];
    }>(
      'find_job_detail',
      `select id, name,
         case state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
           when 'completed' then 'completed' else 'failed' end as state,
         data, retry_count, created_on, started_on, completed_on,
         case when state <> 'completed' then coalesce(output ->> 'message', output -> 'value' ->> 'message') end as error,
         case when state = 'completed' and jsonb_typeof(output) = 'object' then output end as result
       from pgboss.job where name = any($1::text[]) and id = $2`,
      [queueNames, id],
      { long: true },
    ),
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    id: row.id,
    queue: row.name,
    state: row.state,
    data: row.data,
    retries: row.retry_count,
    createdAt: row.created_on,
    startedAt: row.started_on,
    error: row.error,
    finishedAt: row.completed_on,
    result: row.result,
  };
}
