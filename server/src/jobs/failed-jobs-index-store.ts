import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

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
