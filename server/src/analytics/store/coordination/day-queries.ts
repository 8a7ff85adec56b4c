import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Day } from '../../day.ts';
import type { DayRecord, RowCounts } from '../aggregation-types.ts';

// The number of days for which a missing aggregation counts as missed, when later days have been aggregated.
const gapDays = 366;

/** See `AnalyticsStore.listDueDays`. */
export async function listDueDays(database: Queryable, brandId: number, yesterday: Day): Promise<Day[]> {
  const rows = await database.run(
    statement<{ day: Day }>(
      'list_due_analytics_days',
      `with known as (
         select min(day) as first, max(day) as last from analytics.brand_days
         where brand_id = $1 and aggregated_at is not null and day <= $2::date
       ),
       due as (
         select $2::date as day
         where not exists (
           select from analytics.brand_days
           where brand_id = $1 and day = $2::date and aggregated_at is not null
         )
         union
         select day from analytics.brand_days where brand_id = $1 and is_dirty and day <= $2::date
         union
         (
           select s.start + n from (
             select greatest(first, least(last, $2::date - $3::integer)) as start from known where last is not null
           ) s
           cross join lateral generate_series(0, $2::date - s.start) as n
           except
           select day from analytics.brand_days where brand_id = $1 and aggregated_at is not null
         )
       )
       select to_char(due.day, 'YYYY-MM-DD') as day
       from due left join analytics.event_retention r on true
       where r.kept_since is null or due.day >= r.kept_since
       order by due.day`,
      [brandId, yesterday, gapDays],
      { long: true },
    ),
  );
  return rows.map(({ day }) => day);
}

interface DayRow {
  readonly day: Day;
  readonly aggregated_at: Date;
  readonly row_counts: RowCounts;
  readonly is_dirty: boolean;
}

/** See `AnalyticsStore.listAggregatedDays`. */
export async function listAggregatedDays(
  database: Queryable,
  brandId: number,
  page: { readonly size: number; readonly offset: number },
): Promise<{ days: DayRecord[]; total: number }> {
  const rows = await database.run(
    statement<DayRow & { total: number }>(
      'list_aggregated_days',
      `select t.total, to_char(d.day, 'YYYY-MM-DD') as day, d.aggregated_at, d.row_counts, d.is_dirty
       from (
         select count(*) as total from analytics.brand_days where brand_id = $1 and aggregated_at is not null
       ) t
       left join lateral (
         select day, aggregated_at, row_counts, is_dirty from analytics.brand_days
         where brand_id = $1 and aggregated_at is not null
         order by day desc limit $2 offset $3
       ) d on true
       order by d.day desc`,
      [brandId, page.size, page.offset],
      { long: true },
    ),
  );
  const days = rows
    .filter(({ day }) => day !== null)
    .map((row) => ({
      day: row.day,
      aggregatedAt: row.aggregated_at,
      rows: row.row_counts,
      isDirty: row.is_dirty,
    }));
  return { days, total: rows[0]?.total ?? 0 };
}
