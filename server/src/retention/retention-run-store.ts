import type { Day } from '../analytics/day.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { PolicyName } from './policy-settings.ts';

export interface RetentionRun {
  readonly policy: PolicyName;
  readonly finishedAt: Date;
  readonly droppedRows: number;
  readonly heldBackBy: Day | null;
}

/** Records that a policy was applied, by the clock of the database. */
export async function recordRetentionRun(
  database: Database,
  { policy, droppedRows, heldBackBy }: Omit<RetentionRun, 'finishedAt'>,
): Promise<void> {
  await database.transaction((tx) =>
    tx.run(
      statement<never>(
        'record_retention_run',
        `insert into retention_runs (policy, finished_at, dropped_rows, held_back_by) values ($1, now_ms(), $2, $3)
         on conflict (policy) do update set finished_at = excluded.finished_at, dropped_rows = excluded.dropped_rows,
           held_back_by = excluded.held_back_by`,
        [policy, droppedRows, heldBackBy],
      ),
    ),
  );
}

/** Lists the last completed run of each policy that was ever applied. */
export function listRetentionRuns(database: Queryable): Promise<RetentionRun[]> {
  return database.run(
    statement<RetentionRun>(
      'list_retention_runs',
      `select policy, finished_at as "finishedAt", dropped_rows as "droppedRows",
         to_char(held_back_by, 'YYYY-MM-DD') as "heldBackBy"
       from retention_runs order by policy`,
    ),
  );
}
