import type { OwnedAccess } from '../../api/access.ts';
import { statement } from '../../postgres/statement.ts';
import { queueNames } from '../registry.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Access to operations that name a job as `:id`. Scheduled jobs belong to no brand. */
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
