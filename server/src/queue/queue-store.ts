import type { Database, Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** A job from its request to its result. */
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

/** Lists those of `queues` that have a job to start now, in one statement; each costs one index probe. */
export async function listDueQueues(database: Queryable, queues: readonly string[]): Promise<string[]> {
  const rows = await database.run(
    statement<{ name: string }>(
      'list_due_queues',
      `select q.name from unnest($1::text[]) as q (name)
       where exists (
         select 1 from pgboss.job j
         where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
         offset 0
       )`,
      [queues],
    ),
  );
  return rows.map(({ name }) => name);
}

/** Locks a job key, so that one transaction at a time looks for a job of the key and queues one. */
export async function lockJobKey(tx: Transaction, queue: string, key: string): Promise<void> {
  await tx.run(
    statement<never>(
      'lock_job_key',
      `select pg_advisory_xact_lock(hashtextextended($1::text || '/' || $2::text, 4217734))`,
      [queue, key],
    ),
  );
}

/** Returns the job of the key that waits and was never started, or null. */
export async function findWaitingJob(tx: Transaction, queue: string, key: string): Promise<string | null> {
  const rows = await tx.run(
    statement<{ id: string }>(
      'find_waiting_job',
      `select id from pgboss.job
       where name = $1 and singleton_key = $2 and state = 'created' and started_on is null
       order by created_on limit 1`,
      [queue, key],
    ),
  );
  return rows[0]?.id ?? null;
}

/**
 * Adds an index of failed jobs to the table of the queue, unless it is there [D178]. Without it, counting the few failed jobs
 * reads all completed ones, which are kept for a day. Any number of processes may call it at once.
 */
export async function createFailedJobsIndex(database: Database): Promise<void> {
  const found = await database.run(
    statement<{ oid: string | null }>(
      'find_failed_jobs_index',
      `select to_regclass('pgboss.failed_jobs_by_queue')::text as oid`,
    ),
  );
  if (found[0]?.oid != null) return;
  await database.transaction(async (tx) => {
    tx.queue(statement('lock_failed_jobs_index', 'select pg_advisory_xact_lock(4217735)'));
    await tx.run(
      statement<never>(
        'create_failed_jobs_index',
        `create index if not exists failed_jobs_by_queue on pgboss.job_common (name, completed_on) where state = 'failed'`,
      ),
    );
  });
}
