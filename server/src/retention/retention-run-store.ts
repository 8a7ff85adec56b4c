import type { Day } from '../analytics/day.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { PolicyName } from './policy-settings.ts';

/** Records that a policy was applied, by the clock of the database. */
export async function recordRetentionRun(
  database: Database,
  {
    policy,
    droppedRows,
    heldBackBy,
  }: {
    readonly policy: PolicyName;
    readonly droppedRows: number;
    readonly heldBackBy: Day | null;
  },
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

export interface RetentionRun {
  readonly policy: string;
  readonly finishedAt: Date;
  readonly droppedRows: number;
  readonly heldBackBy: Day | null;
}

/** Lists the last completed run of each policy that was ever applied. */
export async function listRetentionRuns(database: Queryable): Promise<RetentionRun[]> {
  const rows = await database.run(
    statement<{ policy: string; finished_at: Date; dropped_rows: number; held_back_by: Day | null }>(
      'list_retention_runs',
      `select policy, finished_at, dropped_rows, to_char(held_back_by, 'YYYY-MM-DD') as held_back_by
       from retention_runs order by policy`,
    ),
  );
  return rows.map(({ policy, finished_at, dropped_rows, held_back_by }) => ({
    policy,
    finishedAt: finished_at,
    droppedRows: dropped_rows,
    heldBackBy: held_back_by,
  }));
}
