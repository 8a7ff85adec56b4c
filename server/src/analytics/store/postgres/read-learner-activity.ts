import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Day } from '../../day.ts';
import type { LearnerActivity } from '../aggregation-types.ts';

/**
 * See `AnalyticsStore.readLearnerActivity`. Every aggregation that counts a learner writes a row of `users`, and one that does
 * not deletes it: the rows are the days that count the learner, without clocks.
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
