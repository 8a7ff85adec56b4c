import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { advisoryLocks, type Transaction } from '../../postgres/transaction.ts';
import type { Day, DayRange } from '../day.ts';
import { type DatasetName, datasetNames, type RowCounts } from './datasets.ts';

export interface AggregationOptions {
  readonly at: Date;
  readonly whenBusy: 'wait' | 'skip';
  /** Why the days are aggregated; `due`: for the reason that each day has. Default: `request`. */
  readonly reason?: 'due' | 'request' | 'repair';
  /** The time limit in milliseconds, waiting included. If it is exceeded, nothing is changed. */
  readonly limitMs?: number;
}

interface WindowProgress extends AggregationResult {
  /** The first remaining day; null if none remains. */
  readonly nextDay: Day | null;
}

export interface AggregationResult {
  /** The aggregated days: those of the range whose raw events are still stored. */
  readonly days: number;
  readonly rows: RowCounts;
}

/** Waits for the lock under which datasets of a brand are written (aggregation, erasure), until the transaction ends. */
export async function lockDatasets(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>('lock_analytics_datasets', 'select pg_advisory_xact_lock($1, $2)', [
      advisoryLocks.datasets,
      brandId,
    ]),
  );
}

/** Takes the lock of `lockDatasets`; false if `whenBusy` is `skip` and another transaction holds it. */
export async function lockDatasetsOrSkip(
  tx: Transaction,
  brandId: number,
  whenBusy: AggregationOptions['whenBusy'],
): Promise<boolean> {
  if (whenBusy === 'skip') return tryLockDatasets(tx, brandId);
  await lockDatasets(tx, brandId);
  return true;
}

/** Like `lockDatasets`, but without waiting: returns false if another transaction holds the lock. */
export async function tryLockDatasets(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_analytics_datasets',
      'select pg_try_advisory_xact_lock($1, $2) as locked',
      [advisoryLocks.datasets, brandId],
    ),
  );
  return rows[0]?.locked === true;
}

export interface MarkedDay {
  readonly day: Day;
  readonly added: number;
}

/**
 * Marks days for the next nightly run, in ascending order, and counts their events. Call it last in the transaction that adds
 * the events: until the commit, it blocks others that mark the same days.
 */
export async function markDays(tx: Transaction, brandId: number, days: readonly MarkedDay[]): Promise<void> {
  if (days.length === 0) return;
  await tx.run(
    statement<never>(
      'mark_analytics_days',
      `insert into analytics.brand_days as d (brand_id, day, changes, events)
       select $1, day, 1, added from unnest($2::date[], $3::bigint[]) as marked (day, added) order by day
       on conflict (brand_id, day) do update set changes = d.changes + 1, events = d.events + excluded.events`,
      [brandId, days.map(({ day }) => day), days.map(({ added }) => added)],
    ),
  );
}

/** The days of which the last aggregation wrote rows of the dataset, without `except`. */
export async function listDaysWithRows(
  tx: Transaction,
  brandId: number,
  dataset: DatasetName,
  except: readonly Day[],
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_days_with_rows',
      `select to_char(d.day, 'YYYY-MM-DD') as day from analytics.brand_days d
       where d.brand_id = $1 and (d.row_counts ->> $2::text)::bigint > 0 and d.day <> all($3::date[])`,
      [brandId, dataset, except],
    ),
  );
  return rows.map(({ day }) => day);
}

/** Those of the days that were aggregated and whose raw events are kept, ascending. */
export async function listAggregatedDaysAmong(
  tx: Transaction,
  brandId: number,
  days: readonly Day[],
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_aggregated_days_among',
      `select to_char(d.day, 'YYYY-MM-DD') as day
       from analytics.brand_days d left join analytics.event_retention k on true
       where d.brand_id = $1 and d.day = any($2::date[]) and d.aggregated_at is not null
         and (k.kept_since is null or d.day >= k.kept_since)
       order by d.day`,
      [brandId, days],
    ),
  );
  return rows.map(({ day }) => day);
}

export interface DayArrivals {
  /** `brand_days.changes` */
  readonly changes: number;
  readonly events: number;
  /** The arrivals that the last aggregation included; null before the first. */
  readonly aggregated: { readonly changes: number; readonly events: number } | null;
}

/** Omits days without a record. */
export async function listChanges(
  tx: Transaction,
  brandId: number,
  { from, to }: DayRange,
): Promise<ReadonlyMap<Day, DayArrivals>> {
  const rows = await tx.run(
    statement<{ day: Day } & DayArrivals>(
      'list_analytics_day_changes',
      `select to_char(day, 'YYYY-MM-DD') as day, changes, events, case when aggregated_at is not null then
           json_build_object('changes', aggregated_changes, 'events', aggregated_events) end as aggregated
       from analytics.brand_days
       where brand_id = $1 and day between $2::date and $3::date`,
      [brandId, from, to],
    ),
  );
  return new Map(rows.map(({ day, ...arrivals }) => [day, arrivals]));
}

/**
 * Returns whether the brand has aggregated days after `day`; usually not, which saves searching for rows to correct. Also
 * checks the dataset: a lost day record must not leave later totals unchanged.
 */
export async function findWhetherDaysFollow(tx: Transaction, brandId: number, day: Day): Promise<boolean> {
  const rows = await tx.run(
    statement<{ follow: boolean }>(
      'find_whether_analytics_days_follow',
      `select exists (
         select from analytics.brand_days where brand_id = $1 and day > $2::date and aggregated_at is not null
       ) or exists (
         select from analytics.daily where brand_id = $1 and day > $2::date
       ) as follow`,
      [brandId, day],
    ),
  );
  return rows[0]?.follow === true;
}

interface AggregatedDays {
  readonly at: Date;
  /** From `listChanges`, called before the events were read. */
  readonly seen: ReadonlyMap<Day, DayArrivals>;
  readonly written: ReadonlyMap<Day, RowCounts>;
}

/** Locks days in ascending order, as `markDays` does. */
export async function recordAggregatedDays(
  tx: Transaction,
  brandId: number,
  { at, seen, written }: AggregatedDays,
): Promise<void> {
  const days = [...written.keys()];
  await tx.run(
    statement<never>(
      'record_aggregated_days',
      `insert into analytics.brand_days as d (brand_id, day, aggregated_at, aggregated_changes, row_counts, aggregated_events)
       select $1, day, $2, changes, counts, events
       from unnest($3::date[], $4::bigint[], $5::jsonb[], $6::bigint[]) as a (day, changes, counts, events)
       order by day
       on conflict (brand_id, day) do update
       set aggregated_at = excluded.aggregated_at, aggregated_changes = excluded.aggregated_changes,
           row_counts = excluded.row_counts, aggregated_events = excluded.aggregated_events`,
      [
        brandId,
        at,
        days,
        days.map((day) => seen.get(day)?.changes ?? 0),
        days.map((day) => JSON.stringify(written.get(day))),
        days.map((day) => seen.get(day)?.events ?? 0),
      ],
    ),
  );
}

// The number of days for which a missing aggregation counts as missed, when later days have been aggregated.
const gapDays = 366;
/** The most days that are filled after a long pause: an old day that was aggregated by mistake must not begin thousands. */
const mostMissedDays = 400;

/**
 * The days for a nightly run, ascending: yesterday, days with events that no aggregation has seen, and, for a brand with earlier
 * aggregations, the days missed since, of the last 400. An interrupted run continues with the rest.
 */
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
             select greatest(first, least(last, $2::date - $3::integer), $2::date - ${mostMissedDays} + 1) as start
             from known where last is not null
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

/**
 * The progress of an aggregation requested at `since`: days with an older one or none remain, unless their raw events were
 * dropped. `days` and `rows` are totals of the finished days. Reads one range of the day records.
 */
export async function readWindowProgress(
  database: Queryable,
  brandId: number,
  { from, to }: DayRange,
  since: Date,
): Promise<WindowProgress> {
  const sumOf = (dataset: DatasetName) =>
    `coalesce(sum((b.row_counts ->> '${dataset}')::bigint), 0)::bigint as ${dataset}`;
  const [row] = await database.run(
    statement<Omit<WindowProgress, 'rows'> & Record<DatasetName, number>>(
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
         ) as "nextDay",
         count(*) as days, ${datasetNames.map(sumOf).join(', ')}
       from done b`,
      [brandId, from, to, since],
      { long: true },
    ),
  );
  const { nextDay, days, ...rows } = row as NonNullable<typeof row>;
  return { nextDay, days, rows };
}
