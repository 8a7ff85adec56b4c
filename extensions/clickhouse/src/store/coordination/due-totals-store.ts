import type { Day } from '../../../../../server/src/analytics/day.ts';
import { type DatasetName, datasetNames } from '../../../../../server/src/analytics/store/datasets.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';

/** Totals that are worth writing: an aggregation would otherwise add up many rows. */
export interface DueTotals {
  readonly brandId: number;
  readonly dataset: DatasetName;
  readonly through: Day;
}

/** Days before the last one that totals leave out, because late events would make them useless soon. */
const recentDays = 7;

/**
 * Marks a brand whose totals may have become due: days were aggregated, or totals withdrawn. Call it last in the transaction: an
 * upkeep that examines the mark is waited for, and waits for the commit.
 */
export async function markForTotals(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>(
      'mark_for_running_totals',
      // An existing mark is locked, so that no upkeep deletes it before it can see what this transaction changes.
      `insert into analytics.totals_marks (brand_id) values ($1)
       on conflict (brand_id) do update set brand_id = excluded.brand_id`,
      [brandId],
    ),
  );
}

/**
 * Locks some marks until the transaction ends, and returns their brands in ascending order; empty: there are no more. Marks that
 * another transaction holds are left to the next upkeep.
 *
 * @param after the last brand of the call before; 0: begin
 */
export async function lockTotalsMarks(tx: Transaction, after: number, limit: number): Promise<number[]> {
  const rows = await tx.run(
    statement<{ brand_id: number }>(
      'lock_running_totals_marks',
      `select brand_id from analytics.totals_marks where brand_id > $1
       order by brand_id limit $2 for update skip locked`,
      [after, limit],
    ),
  );
  return rows.map(({ brand_id }) => brand_id);
}

export async function deleteTotalsMarks(tx: Transaction, brandIds: readonly number[]): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_running_totals_marks',
      'delete from analytics.totals_marks where brand_id = any($1::integer[])',
      [brandIds],
    ),
  );
}

/**
 * Lists the datasets of brands whose days since their totals have at least `leastRows` rows, and a quarter of those of
 * the totals. Reads only marked brands: 1.2 ms for a brand of 365 days, by `brand_days_pkey`.
 */
export async function listDueTotals(
  tx: Transaction,
  leastRows: number,
  brandIds: readonly number[],
): Promise<DueTotals[]> {
  return tx.run(
    statement<DueTotals>(
      'list_due_running_totals',
      `select l.brand_id as "brandId", n.dataset, to_char(l.through, 'YYYY-MM-DD') as through
       from unnest($2::integer[]) as b (id)
       cross join lateral (
         select brand_id, day - ${recentDays} as through from analytics.brand_days
         where brand_id = b.id and aggregated_at is not null order by day desc limit 1
       ) l
       cross join unnest($3::text[]) as n (dataset)
       left join analytics.running_totals t on t.brand_id = l.brand_id and t.dataset = n.dataset
       cross join lateral (
         select sum((d.row_counts ->> n.dataset)::bigint) as rows from analytics.brand_days d
         where d.brand_id = l.brand_id and d.day > coalesce(t.through, '-infinity') and d.day <= l.through
           and d.aggregated_at is not null
       ) s
       where s.rows >= greatest($1::bigint, t.rows / 4)
       order by l.brand_id, n.dataset`,
      [leastRows, brandIds, datasetNames],
    ),
  );
}
