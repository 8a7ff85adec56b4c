import type { Day } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { totalsTable } from '../dataset-shape.ts';

export interface RunningTotals {
  readonly through: Day;
  readonly generation: number;
  /** The number of keys, without those of erased learners. */
  readonly rows: number;
}

/** Returns the published totals of a dataset, or null. Fixed while the caller holds the lock of the brand's datasets. */
export async function findTotals(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
): Promise<RunningTotals | null> {
  const rows = await database.run(
    statement<RunningTotals>(
      'find_running_totals',
      `select to_char(through, 'YYYY-MM-DD') as through, generation, rows from analytics.running_totals
       where brand_id = $1 and dataset = $2`,
      [brandId, dataset],
    ),
  );
  return rows[0] ?? null;
}

/** Publishes totals instead of the earlier ones, which `retireTotals` has removed. */
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
