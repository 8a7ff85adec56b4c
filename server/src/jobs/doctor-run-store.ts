import type { JobSender } from '../api/job-sender.ts';
import type { Page } from '../api/pagination.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import { type JobRun, jobRunColumns, lockJobKey } from './queue-store.ts';

export interface BrandDifferences {
  readonly check: string;
  readonly brandId: number;
  readonly found: number;
}

export interface DoctorOutcome {
  readonly brands: number;
  readonly found: number;
  /** Only checks that found something. */
  readonly differences: readonly BrandDifferences[];
}

/** Examines all derived figures and repairs nothing. `signal` stops it: it then rejects with the reason. */
export type RunDoctor = (signal: AbortSignal) => Promise<DoctorOutcome>;

export interface DoctorRun extends JobRun {
  /** null until the run is completed. */
  readonly outcome: DoctorOutcome | null;
}

export const doctorRunQueue = 'run-doctor';

/** All runs are one work: at most one waits or runs. */
const doctorRunKey = 'all-brands';

/** The queue of examinations. A run that is interrupted fails: the next one has to begin at the start anyway [D71]. */
export const doctorRunJob = {
  name: doctorRunQueue,
  limitSeconds: 24 * 60 * 60,
  retryLimit: 0,
  keepSeconds: 90 * 24 * 60 * 60,
  run: async (
    { runDoctor }: { readonly runDoctor: RunDoctor },
    _data: object,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> => ({ ...(await runDoctor(signal)) }),
} as const;

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
      // A literal, because nearly all jobs are of another queue: see `findLastAggregation`.
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
async function findUnfinishedDoctorRun(database: Queryable): Promise<DoctorRun | null> {
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

/** Queues a run in the caller's transaction, and returns it; while one waits or runs, returns that one. */
export async function startDoctorRun(tx: AuditedTransaction, jobs: JobSender): Promise<DoctorRun> {
  // Until the commit, so that of two requests at once the second finds the run of the first.
  await lockJobKey(tx, doctorRunQueue, doctorRunKey);
  const unfinished = await findUnfinishedDoctorRun(tx);
  if (unfinished !== null) return unfinished;
  const id = await jobs.sendOnce(tx, { queue: doctorRunQueue, key: doctorRunKey, data: {} });
  await recordAudit(tx, {
    action: 'doctor.run',
    brandId: null,
    resourceType: 'job',
    resourceId: id,
    details: {},
  });
  return { id, state: 'queued', startedAt: null, finishedAt: null, outcome: null, error: null };
}
