import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { Conditions } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { queueNames } from '../registry.ts';
import { type JobFilter, jobConditions } from './job-list.ts';

/** Counts the jobs that failed permanently since a time, and were not retried, by the index that `createFailedJobsIndex` adds. */
export async function countFailures(database: Queryable, brandIds: BrandReach, since: Date): Promise<number> {
  const where = new Conditions(
    [`state = 'failed'`, 'completed_on > $1::timestamptz', 'name = any($2::text[])'],
    [since, queueNames],
  );
  const reach = brandIds?.map(String);
  where.add('_of_brands', (parameter) => `data ->> 'brand_id' = any(${parameter}::text[])`, reach);
  const rows = await database.run(
    statement<{ failed: number }>(
      `count_job_failures${where.code}`,
      `select count(*) as failed from pgboss.job where ${where.sql}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0]?.failed ?? 0;
}

/** Locks up to `limit` failed jobs that match, the oldest first, and returns their ids by queue. Skips those that are locked. */
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
