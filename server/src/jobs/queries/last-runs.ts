import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { scheduledJobs } from '../registry.ts';
import { type JobRun, jobRunColumns } from './job-run.ts';

export interface LastRun extends JobRun {
  readonly queue: string;
}

/**
 * Selects the last job of a schedule. The name is a literal: its planned number of jobs is then that of this queue, and not the
 * average of all, among which one queue has nearly all jobs.
 */
const lastRunOf = (name: string) => `select name as queue, ${jobRunColumns}
  from pgboss.job where name = '${name}' order by created_on desc, id limit 1`;

/** Returns the last job of each schedule; none for a schedule whose jobs were deleted after their retention. */
export function listLastRuns(database: Database): Promise<LastRun[]> {
  return database.run(
    statement<LastRun>(
      'list_last_runs',
      scheduledJobs.map(({ name }) => `(${lastRunOf(name)})`).join(' union all '),
      [],
      { long: true },
    ),
  );
}
