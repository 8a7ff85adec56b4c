import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';

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
