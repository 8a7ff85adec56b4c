import type { Queryable } from '../../../../postgres/database.ts';
import { statement } from '../../../../postgres/statement.ts';
import type { Transaction } from '../../../../postgres/transaction.ts';
import type { Day } from '../../../day.ts';
import type { DatasetName } from '../../aggregation-types.ts';
import { totalsTable } from '../dataset-shape.ts';

/** The sums of all keys of a dataset, from its first day through a day. */
export interface RunningTotals {
  readonly through: Day;
  readonly generation: number;
  /** The number of keys, without those of erased learners. */
  readonly rows: number;
}

/** Returns the published totals of a dataset; null if there are none. The caller holds the lock of the brand's datasets. */
export async function findTotals(
  tx: Transaction,
  brandId: number,
  dataset: DatasetName,
): Promise<RunningTotals | null> {
  const rows = await tx.run(
    statement<RunningTotals>(
      'find_running_totals',
      `select to_char(through, 'YYYY-MM-DD') as through, generation, rows from analytics.running_totals
       where brand_id = $1 and dataset = $2`,
      [brandId, dataset],
    ),
  );
  return rows[0] ?? null;
}

/** Publishes totals in place of the earlier ones, which `retireTotals` has removed. */
export async function publishTotals(
  tx: Transaction,
  brandId: number,
  dataset: DatasetName,
  { through, generation, rows }: RunningTotals,
): Promise<void> {
  await tx.run(
    statement<never>(
      'publish_running_totals',
      `insert into analytics.running_totals (brand_id, dataset, through, generation, rows) values ($1, $2, $3::date, $4, $5)`,
      [brandId, dataset, through, generation, rows],
    ),
  );
}

/** Withdraws the totals of a dataset. Their rows are deleted like those of replaced layers. */
export async function retireTotals(tx: Transaction, brandId: number, dataset: DatasetName): Promise<void> {
  await tx.run(
    statement<never>(
      'retire_running_totals',
      `with gone as (
         delete from analytics.running_totals where brand_id = $1 and dataset = $2 returning generation, through
       )
       insert into analytics.stale_layers (brand_id, generation, dataset, day, since)
       select $1, generation, $3, through, clock_timestamp() from gone
       on conflict do nothing`,
      [brandId, dataset, totalsTable(dataset)],
    ),
  );
}

/** Takes the keys of an erased learner off the count. */
export async function discountTotals(
  tx: Transaction,
  brandId: number,
  dataset: DatasetName,
  rows: number,
): Promise<void> {
  await tx.run(
    statement<never>(
      'discount_running_totals',
      'update analytics.running_totals set rows = rows - $3 where brand_id = $1 and dataset = $2',
      [brandId, dataset, rows],
    ),
  );
}

/** Totals that are worth writing: an aggregation would otherwise add up many rows. */
export interface DueTotals {
  readonly brandId: number;
  readonly dataset: DatasetName;
  readonly through: Day;
}

/** Days before the last one that totals leave out, because late events would make them useless soon. */
const recentDays = 7;

/**
 * Lists the datasets whose days since their totals have at least `leastRows` rows, and a quarter of those of the totals. Reads
 * the record of each aggregated day, of one brand or of all.
 */
export async function listDueTotals(
  database: Queryable,
  leastRows: number,
  brandId: number | null = null,
): Promise<DueTotals[]> {
  const rows = await database.run(
    statement<{ brand_id: number; dataset: DatasetName; through: Day }>(
      'list_due_running_totals',
      `with latest as (
         select brand_id, max(day) - ${recentDays} as through from analytics.brand_days
         where aggregated_at is not null and ($2::integer is null or brand_id = $2)
         group by brand_id
       )
       select l.brand_id, s.dataset, to_char(l.through, 'YYYY-MM-DD') as through
       from latest l
       join analytics.brand_days d on d.brand_id = l.brand_id and d.day <= l.through and d.aggregated_at is not null
       cross join lateral jsonb_each_text(d.row_counts) as s (dataset, rows)
       left join analytics.running_totals t on t.brand_id = l.brand_id and t.dataset = s.dataset
       where t.through is null or d.day > t.through
       group by l.brand_id, s.dataset, l.through, t.rows
       having sum(s.rows::bigint) >= greatest($1::bigint, t.rows / 4)
       order by l.brand_id, s.dataset`,
      [leastRows, brandId],
      { long: true },
    ),
  );
  return rows.map(({ brand_id, ...due }) => ({ brandId: brand_id, ...due }));
}
