import type { Page } from '../api/pagination.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import { type JobRun, jobRunColumns } from '../queue/queue-store.ts';
import { type DoctorOutcome, doctorRunQueue } from './doctor-run-job.ts';

export interface DoctorRun extends JobRun {
  /** null until the run is completed. */
  readonly outcome: DoctorOutcome | null;
}

const columns = `${jobRunColumns}, case when state = 'completed' then output end as outcome`;

/** Lists one page of the runs, newest first, and counts all that are kept. */
export function listDoctorRuns(
  database: Queryable,
  page: Page,
): Promise<{ rows: DoctorRun[]; total: number }> {
  const where = new Conditions(['name = $1'], [doctorRunQueue]);
  const list = { name: 'doctor_runs', columns, from: 'pgboss.job', where, orderBy: 'created_on desc, id' };
  return readPage(database, list, page);
}

/** Returns the last run that has ended, or the first one while it waits or runs; null: none is kept. */
export async function findLastDoctorRun(database: Queryable): Promise<DoctorRun | null> {
  const rows = await database.run(
    statement<DoctorRun>(
      'find_last_doctor_run',
      // A literal: the planned number of jobs is then that of this queue. Nearly all jobs are of another one.
      `select ${columns} from pgboss.job where name = '${doctorRunQueue}'
       order by (state in ('created', 'retry', 'active')), created_on desc, id limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

/** Returns what the last completed run found, and when it ended; null: none is kept. */
export async function findLastOutcome(
  database: Queryable,
): Promise<{ readonly found: number; readonly finishedAt: Date } | null> {
  const rows = await database.run(
    statement<{ found: number; finishedAt: Date }>(
      'find_last_doctor_outcome',
      `select (output ->> 'found')::integer as found, completed_on as "finishedAt" from pgboss.job
       where name = '${doctorRunQueue}' and state = 'completed' order by completed_on desc limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

/** Returns the run that waits or runs; null: none. */
export async function findUnfinishedDoctorRun(database: Queryable): Promise<DoctorRun | null> {
  const rows = await database.run(
    statement<DoctorRun>(
      'find_unfinished_doctor_run',
      `select ${columns} from pgboss.job where name = $1 and state in ('created', 'retry', 'active')
       order by created_on limit 1`,
      [doctorRunQueue],
    ),
  );
  return rows[0] ?? null;
}
