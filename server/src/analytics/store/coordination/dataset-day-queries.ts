import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { DayRange } from '../../day.ts';
import { type BrandLag, type DatasetDay, datasetNames, type LagPage } from '../aggregation-types.ts';

/**
 * Every day of the range, newest first, aggregated or not. Reads one range of the day records, and one of the revisions of each
 * dataset: for a range of at most a few years.
 */
export function listDatasetDays(
  database: Queryable,
  brandId: number,
  { from, to }: DayRange,
): Promise<DatasetDay[]> {
  return database.run(
    statement<DatasetDay>(
      'list_dataset_days',
      `select to_char(w.day, 'YYYY-MM-DD') as day, b.aggregated_at as "aggregatedAt",
         case when b.aggregated_at is not null then b.row_counts end as rows,
         coalesce(b.is_dirty, false) as "isDirty",
         case when b.is_dirty then greatest(0, b.events - b.aggregated_events) else 0 end as "lateEvents",
         r.revisions, r.refreshed_at as "refreshedAt", coalesce(w.day < k.kept_since, false) as "isDropped"
       from (select $2::date + n as day from generate_series(0, $3::date - $2::date) as n) as w
       left join (
         select day, aggregated_at, row_counts, is_dirty, events, aggregated_events from analytics.brand_days
         where brand_id = $1 and day between $2::date and $3::date
       ) as b on b.day = w.day
       left join (
         select day, jsonb_object_agg(dataset, revision) as revisions, max(refreshed_at) as refreshed_at
         from analytics.dataset_revisions
         where brand_id = $1 and dataset = any($4::text[]) and day between $2::date and $3::date
         group by day
       ) as r on r.day = w.day
       left join analytics.event_retention k on true
       order by w.day desc`,
      [brandId, from, to, datasetNames],
      { long: true },
    ),
  );
}

/**
 * One page of the given brands, those that are furthest behind first. Two index look-ups a brand, and its dirty days, which a
 * partial index holds.
 */
export function listLags(
  database: Queryable,
  brandIds: readonly number[],
  page: LagPage,
): Promise<BrandLag[]> {
  return database.run(
    statement<BrandLag>(
      'list_dataset_lags',
      `select g.id as "brandId", to_char(l.day, 'YYYY-MM-DD') as "latestDay", d.dirty_days as "dirtyDays"
       from unnest($1::integer[]) as g (id)
       left join lateral (
         select day from analytics.brand_days
         where brand_id = g.id and aggregated_at is not null
         order by day desc limit 1
       ) as l on true
       cross join lateral (
         select count(*) as dirty_days from analytics.brand_days
         where brand_id = g.id and is_dirty and ($4::date is null or day <= $4::date)
       ) as d
       order by l.day nulls first, d.dirty_days desc, g.id
       limit $2 offset $3`,
      [brandIds, page.size, page.offset, page.dirtyUntil ?? null],
      { long: true },
    ),
  );
}
