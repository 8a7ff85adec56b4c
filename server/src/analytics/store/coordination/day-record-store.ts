import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day, DayRange } from '../../day.ts';
import type { RowCounts } from '../aggregation-types.ts';

export interface DayArrivals {
  /** `brand_days.changes` */
  readonly changes: number;
  readonly events: number;
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
      `select to_char(day, 'YYYY-MM-DD') as day, changes, events from analytics.brand_days
       where brand_id = $1 and day between $2::date and $3::date`,
      [brandId, from, to],
    ),
  );
  return new Map(rows.map(({ day, changes, events }) => [day, { changes, events }]));
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

export interface AggregatedDays {
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
