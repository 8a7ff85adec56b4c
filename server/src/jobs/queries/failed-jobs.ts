import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type JobFilter, jobConditions } from './job-list.ts';

/**
 * Locks up to `limit` failed jobs that match, the oldest first, and returns their ids by queue. Skips jobs that another
 * transaction has locked.
 */
export async function lockFailedJobs(
  tx: Transaction,
  filter: JobFilter,
  limit: number,
): Promise<Map<string, string[]>> {
  const where = jobConditions({ ...filter, state: 'failed' });
  const { code } = where;
  const rows = await tx.run(
    statement<{ id: string; name: string }>(
      `lock_failed_jobs/${code}`,
      `select id, name from pgboss.job where ${where.sql}
       order by created_on, id limit ${where.parameter(limit)} for update skip locked`,
      where.values,
    ),
  );
  const ids = new Map<string, string[]>();
  for (const { id, name } of rows) {
    const ofQueue = ids.get(name);
    if (ofQueue === undefined) ids.set(name, [id]);
    else ofQueue.push(id);
  }
  return ids;
}
