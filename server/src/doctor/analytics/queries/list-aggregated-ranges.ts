import { addDays, type Day, type DayRange, toRanges } from '../../../analytics/day.ts';
import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/** The days of one aggregation of a repair. */
const sliceDays = 31;

export async function listAggregatedRanges(
  store: Database,
  brandId: number,
  { from, to }: DayRange,
): Promise<DayRange[]> {
  const rows = await store.run(
    statement<{ day: Day }>(
      'list_aggregated_days_of_range',
      `select to_char(b.day, 'YYYY-MM-DD') as day
       from analytics.brand_days b left join analytics.event_retention r on true
       where b.brand_id = $1 and b.aggregated_at is not null and b.day between $2::date and $3::date
         and (r.kept_since is null or b.day >= r.kept_since)
       order by b.day`,
      [brandId, from, to],
      { long: true },
    ),
  );
  return toRanges(rows.map(({ day }) => day)).flatMap((range) => slices(range));
}

function slices({ from, to }: DayRange): DayRange[] {
  const parts: DayRange[] = [];
  for (let first = from; first <= to; first = addDays(first, sliceDays)) {
    const last = addDays(first, sliceDays - 1);
    parts.push({ from: first, to: last < to ? last : to });
  }
  return parts;
}
