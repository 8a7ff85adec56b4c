import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

export interface JobRun {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'failed' | 'completed';
  /** The start time, or the earliest possible one. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

/** The columns of a row; pg-boss has no call for what is read here, and documents its table. */
export const jobRunColumns = `id,
  case state::text when 'created' then 'queued' when 'retry' then 'queued' when 'active' then 'running'
    when 'completed' then 'completed' else 'failed' end as state,
  started_on as "startedAt", completed_on as "finishedAt",
  case when state <> 'completed' then coalesce(output ->> 'message', output -> 'value' ->> 'message') end as error`;

/**
 * Returns the last nightly aggregation; null: none is kept. The name is a literal: the planned number of jobs is then that of
 * this queue, and not the average of all, among which one queue has nearly all jobs.
 */
export async function findLastAggregation(database: Database): Promise<JobRun | null> {
  const rows = await database.run(
    statement<JobRun>(
      'find_last_aggregation',
      `select ${jobRunColumns} from pgboss.job where name = 'aggregate-days' order by created_on desc, id limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}
