import type { BrandReach } from '../../api/access.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';

/**
 * Counts the jobs that failed permanently since a time, and were not retried. Reads failed jobs only, by the index that
 * `createFailedJobsIndex` adds.
 */
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
