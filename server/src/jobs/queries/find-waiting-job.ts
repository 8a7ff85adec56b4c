import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

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
