import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Day, DayRange } from '../../day.ts';
import type { DatasetName, WindowProgress } from '../aggregation-types.ts';

/** See `AnalyticsStore.readProgress`. Reads one range of the day records. */
export async function readWindowProgress(
  database: Queryable,
  brandId: number,
  { from, to }: DayRange,
  since: Date,
): Promise<WindowProgress> {
  const sumOf = (dataset: DatasetName) =>
    `coalesce(sum((b.row_counts ->> '${dataset}')::bigint), 0)::bigint as ${dataset}`;
  const rows = await database.run(
    statement<{ next_day: Day | null; days: number } & Record<DatasetName, number>>(
      'read_window_progress',
      `with done as materialized (
         select day, row_counts from analytics.brand_days
         where brand_id = $1 and day between $2::date and $3::date and aggregated_at >= $4::timestamptz
       )
       select (
           select to_char(min(w.day), 'YYYY-MM-DD')
           from (select $2::date + n as day from generate_series(0, $3::date - $2::date) as n) w
           left join analytics.event_retention r on true
           where (r.kept_since is null or w.day >= r.kept_since) and w.day not in (select day from done)
         ) as next_day,
         count(*) as days, ${sumOf('daily')}, ${sumOf('contents')}, ${sumOf('users')}, ${sumOf('content_engagement')}
       from done b`,
      [brandId, from, to, since],
      { long: true },
    ),
  );
  const { next_day, days, daily, contents, users, content_engagement } = rows[0] as (typeof rows)[number];
  return { nextDay: next_day, days, rows: { daily, contents, users, content_engagement } };
}
