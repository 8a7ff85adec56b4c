import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { scheduledJobs } from '../registry.ts';

/** The last job that a schedule has queued. */
export interface LastRun {
  readonly queue: string;
  readonly id: string;
  readonly state: 'queued' | 'running' | 'failed' | 'completed';
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

/** Returns the last job of each schedule; none for a schedule whose jobs were deleted after their retention. */
export async function listLastRuns(database: Database): Promise<LastRun[]> {
  const rows = await database.run(
    statement<{
      name: string;
      id: string;
      state: LastRun['state'];
      started_on: Date | null;
      completed_on: Date | null;
      error: string | null;
    }>(
      'list_last_runs',
      `select q.name, j.id,
         case j.state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
           when 'completed' then 'completed' else 'failed' end as state,
         j.started_on, j.completed_on,
         case when j.state <> 'completed' then coalesce(j.output ->> 'message', j.output -> 'value' ->> 'message') end as error
       from unnest($1::text[]) as q (name)
       cross join lateral (
         select id, state, started_on, completed_on, output from pgboss.job
         where name = q.name order by created_on desc, id limit 1
       ) as j`,
      [scheduledJobs.map(({ name }) => name)],
      { long: true },
    ),
  );
  return rows.map(({ name, id, state, started_on, completed_on, error }) => ({
    queue: name,
    id,
    state,
    startedAt: started_on,
    finishedAt: completed_on,
    error,
  }));
}
