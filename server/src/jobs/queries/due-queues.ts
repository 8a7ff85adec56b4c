import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

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
