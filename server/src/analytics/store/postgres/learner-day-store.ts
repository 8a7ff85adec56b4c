import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { LearnerActivity } from '../aggregation-types.ts';

/** Learners are looked up one by one by the index of each month ("offset 0"), without table statistics. */
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

/**
 * An aggregation that counts a learner writes a row of `users`, another deletes it:
 * the rows are the days that count the learner.
 */
export async function readLearnerActivity(
  database: Queryable,
  brandId: number,
  learnerId: number,
): Promise<LearnerActivity> {
  const rows = await database.run(
    statement<{ first: Day | null; last: Day | null; days: Day[] }>(
      'read_learner_activity',
      // Materialized, and in the order of the primary key: a plan made while the tables are empty would else read the index
      // by day, over all learners. `between` keeps the planner from taking the learner's order for granted.
      `with counted as materialized (
         select day from analytics.users where brand_id = $1 and user_id between $2 and $2 order by user_id, day
       ), seen as materialized (
         select day from analytics.learning_events where brand_id = $1 and user_id = $2
       )
       select to_char(least(u.first, e.first), 'YYYY-MM-DD') as first,
         to_char(greatest(u.last, e.last), 'YYYY-MM-DD') as last, u.days
       from (
         select min(day) as first, max(day) as last,
           coalesce(array_agg(to_char(day, 'YYYY-MM-DD') order by day), '{}') as days
         from counted
       ) as u
       cross join (select min(day) as first, max(day) as last from seen) as e`,
      [brandId, learnerId],
      { long: true },
    ),
  );
  const { first, last, days } = rows[0] as (typeof rows)[number];
  return { firstDay: first, lastDay: last, aggregatedDays: days };
}
