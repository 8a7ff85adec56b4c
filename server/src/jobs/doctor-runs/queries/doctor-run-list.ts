import type { Page } from '../../../api/pagination.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { readPage } from '../../../postgres/read-page.ts';
import { statement } from '../../../postgres/statement.ts';
import { type JobRunRow, jobRunColumns, jobRunFromRow } from '../../queries/job-run.ts';
import { type DoctorOutcome, type DoctorRun, doctorRunQueue } from '../doctor-run.ts';

interface RunRow extends JobRunRow {
  readonly outcome: DoctorOutcome | null;
}

const columns = `${jobRunColumns}, case when state = 'completed' then output end as outcome`;

/** Lists one page of the runs, newest first, and counts all that are kept. */
export async function listDoctorRuns(
  database: Queryable,
  page: Page,
): Promise<{ runs: DoctorRun[]; total: number }> {
  const where = new Conditions(['name = $1'], [doctorRunQueue]);
  const list = { name: 'doctor_runs', columns, from: 'pgboss.job', where, orderBy: 'created_on desc, id' };
  const { rows, total } = await readPage<RunRow>(database, list, page);
  return { runs: rows.map(runFromRow), total };
}

/** Returns the last run that has ended, or the first one while it waits or runs; null: none is kept. */
export async function findLastDoctorRun(database: Queryable): Promise<DoctorRun | null> {
  const rows = await database.run(
    statement<RunRow>(
      'find_last_doctor_run',
      // A literal, because nearly all jobs are of another queue: see `listLastRuns`.
      `select ${columns} from pgboss.job where name = '${doctorRunQueue}'
       order by (state in ('created', 'retry', 'active')), created_on desc, id limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] === undefined ? null : runFromRow(rows[0]);
}

/** Returns what the last completed run found, and when it ended; null: none is kept. */
export async function findLastOutcome(
  database: Queryable,
): Promise<{ readonly found: number; readonly finishedAt: Date } | null> {
  const rows = await database.run(
    statement<{ found: number; completed_on: Date }>(
      'find_last_doctor_outcome',
      `select (output ->> 'found')::integer as found, completed_on from pgboss.job
       where name = '${doctorRunQueue}' and state = 'completed' order by completed_on desc limit 1`,
      [],
      { long: true },
    ),
  );
  return rows[0] === undefined ? null : { found: rows[0].found, finishedAt: rows[0].completed_on };
}

/** Returns the run that waits or runs; null: none. */
export async function findUnfinishedDoctorRun(database: Queryable): Promise<DoctorRun | null> {
  const rows = await database.run(
    statement<RunRow>(
      'find_unfinished_doctor_run',
      `select ${columns} from pgboss.job where name = $1 and state in ('created', 'retry', 'active')
       order by created_on limit 1`,
      [doctorRunQueue],
    ),
  );
  return rows[0] === undefined ? null : runFromRow(rows[0]);
}

function runFromRow(row: RunRow): DoctorRun {
  return { ...jobRunFromRow(row), outcome: row.outcome };
}
