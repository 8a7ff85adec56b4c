import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Day, DayRange } from '../day.ts';
import { datasetNames, type RowCounts } from './datasets.ts';

// The days as operators see them.

export interface DayRecord {
  readonly day: Day;
  readonly aggregatedAt: Date;
  readonly rows: RowCounts;
  /** True if events have arrived that the aggregation did not include. */
  readonly isDirty: boolean;
}

export interface DatasetDay {
  readonly day: Day;
  /** null before the first aggregation. */
  readonly aggregatedAt: Date | null;
  /** The rows of each dataset; null before the first aggregation. */
  readonly rows: RowCounts | null;
  /** True if events have arrived that the aggregation did not include, or rows of a learner are missing. */
  readonly isDirty: boolean;
  /** Events that the aggregation did not include, since the store counts them. */
  readonly lateEvents: number;
  /** The last revision of each dataset; null before the first aggregation. */
  readonly revisions: RowCounts | null;
  readonly refreshedAt: Date | null;
  /** True if the raw events were dropped after the retention period. */
  readonly isDropped: boolean;
}

/** A page of brands, and the days that count. */
export interface LagPage {
  readonly size: number;
  readonly offset: number;
  /** The last day that counts as dirty; default: no end, so that today counts while it receives events. */
  readonly dirtyUntil?: Day;
}

export interface BrandLag {
  readonly brandId: number;
  /** The last aggregated day; null: none. */
  readonly latestDay: Day | null;
  readonly dirtyDays: number;
}

/** Newest first. */
export function listAggregatedDays(
  database: Queryable,
  brandId: number,
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: DayRecord[]; total: number }> {
  const list = {
    name: 'aggregated_days',
    columns: `to_char(d.day, 'YYYY-MM-DD') as day, d.aggregated_at as "aggregatedAt", d.row_counts as rows,
      d.is_dirty as "isDirty"`,
    from: 'analytics.brand_days d',
    where: new Conditions(['d.brand_id = $1', 'd.aggregated_at is not null'], [brandId]),
    orderBy: 'd.day desc',
  };
  return readPage(database, list, page);
}

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

/**
 * Walks the primary key of `brand_days` from brand to brand and back from the last day of each: two index look-ups a brand.
 * With 4 million days of 2,000 brands it read 7 pages of 8 KB a brand, before and after `analyze`.
 */
export async function readOldestLatestDay(database: Queryable): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day | null }>(
      'read_oldest_latest_day',
      `with recursive brands as (
         (select brand_id from analytics.brand_days order by brand_id limit 1)
         union all
         select (select d.brand_id from analytics.brand_days d where d.brand_id > b.brand_id order by d.brand_id limit 1)
         from brands b
         where b.brand_id is not null
       )
       select to_char(min(l.day), 'YYYY-MM-DD') as day
       from brands b
       cross join lateral (
         select d.day from analytics.brand_days d
         where d.brand_id = b.brand_id and d.aggregated_at is not null
         order by d.day desc limit 1
       ) l`,
      [],
      { long: true },
    ),
  );
  return rows[0]?.day ?? null;
}
