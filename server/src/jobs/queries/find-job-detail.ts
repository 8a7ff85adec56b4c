import type { OwnedAccess } from '../../api/access.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';
import { type Job, jobColumns } from './job-list.ts';
import type { JobRun } from './job-run.ts';

export interface JobDetail extends Omit<Job, 'state'> {
  readonly state: JobRun['state'];
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** Returns null if there is no such job, or it was deleted after its retention. */
export async function findJobDetail(database: Database, id: string): Promise<JobDetail | null> {
  const rows = await database.run(
    statement<JobDetail>(
      'find_job_detail',
      `select ${jobColumns}, case when state = 'completed' and jsonb_typeof(output) = 'object' then output end as result
       from pgboss.job where name = any($1::text[]) and id = $2`,
      [queueNames, id],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const ownedJob: OwnedAccess = {
  findBrandId: async (database, { id = '' }) => {
    if (!uuid.test(id)) return null;
    const rows = await database.run(
      statement<{ brand_id: number | null }>(
        'find_brand_of_job',
        `select (data ->> 'brand_id')::integer as brand_id from pgboss.job where name = any($1::text[]) and id = $2`,
        [queueNames, id],
      ),
    );
    return rows[0]?.brand_id ?? null;
  },
};
