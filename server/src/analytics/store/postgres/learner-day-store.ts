import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';

/**
 * Lists the aggregated days on which one of the learners has events but no row of `users`: every aggregation that
 * counts a learner writes that row. Days whose raw events were dropped are left out. Learners are looked up one by one
 * by the index of each month ("offset 0" ensures it), independent of table statistics.
 */
export async function listDaysWithout(
  tx: Transaction,
  brandId: number,
  learnerIds: readonly number[],
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_analytics_days_without',
      `select to_char(d.day, 'YYYY-MM-DD') as day
       from (
         select distinct a.day
         from unnest($2::bigint[]) as u (id)
         cross join lateral (
           select distinct e.day from analytics.learning_events e
           where e.brand_id = $1 and e.user_id = u.id
           offset 0
         ) as a
         where not exists (
           select from analytics.users r where r.brand_id = $1 and r.user_id = u.id and r.day = a.day
         )
       ) as d
       join analytics.brand_days b on b.brand_id = $1 and b.day = d.day and b.aggregated_at is not null
       left join analytics.event_retention k on true
       where k.kept_since is null or d.day >= k.kept_since
       order by d.day`,
      [brandId, learnerIds],
    ),
  );
  return rows.map(({ day }) => day);
}
