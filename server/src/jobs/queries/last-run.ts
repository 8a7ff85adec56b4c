import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { type JobRun, jobRunColumns } from './job-run.ts';

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
