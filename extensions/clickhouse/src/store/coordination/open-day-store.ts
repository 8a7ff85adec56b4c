import type { Day } from '../../../../../server/src/analytics/day.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';

/**
 * Returns the first of the brands' days with events whose last aggregation did not see all of them or that was never
 * aggregated, or the first dirty day before `before`; null if there is none.
 */
export async function findOpenDay(
  database: Queryable,
  before: Day,
  withEvents: readonly { readonly brandId: number; readonly day: Day }[],
): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day | null }>(
      'find_open_day_among',
      `select to_char(min(o.day), 'YYYY-MM-DD') as day from (
         select e.day from unnest($1::integer[], $2::date[]) as e (brand_id, day)
         where not exists (
           select from analytics.brand_days b
           where b.brand_id = e.brand_id and b.day = e.day and b.aggregated_at is not null and not b.is_dirty
         )
         union all
         select b.day from analytics.brand_days b left join analytics.event_retention r on true
         where b.is_dirty and b.day < $3::date and (r.kept_since is null or b.day >= r.kept_since)
       ) as o`,
      [withEvents.map(({ brandId }) => brandId), withEvents.map(({ day }) => day), before],
      { long: true },
    ),
  );
  return rows[0]?.day ?? null;
}
