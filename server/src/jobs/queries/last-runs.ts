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

/**
 * Selects the last job of a schedule. The name is a literal: its planned number of jobs is then that of this queue, and not the
 * average of all, among which one queue has nearly all jobs.
 */
const lastRunOf = (name: string) => `select name, id,
    case state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
      when 'completed' then 'completed' else 'failed' end as state,
    started_on, completed_on,
    case when state <> 'completed' then coalesce(output ->> 'message', output -> 'value' ->> 'message') end as error
  from pgboss.job where name = '${name}' order by created_on desc, id limit 1`;

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
    }>('list_last_runs', scheduledJobs.map(({ name }) => `(${lastRunOf(name)})`).join(' union all '), [], {
      long: true,
    }),
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
