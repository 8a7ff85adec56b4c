import { statement } from '../../../../postgres/statement.ts';
import type { Transaction } from '../../../../postgres/transaction.ts';
import type { Day, DayRange } from '../../../day.ts';
import type { DatasetName } from '../../aggregation-types.ts';

export interface DatasetChange {
  readonly dataset: DatasetName;
  /** Days that were replaced. */
  readonly range: DayRange;
  /** Later days whose running totals were corrected. */
  readonly later: readonly Day[];
  readonly at: Date;
}

/**
 * Assigns the changed days of a dataset its next revision. The caller holds the lock of the brand's datasets, so that
 * revisions ascend in commit order.
 */
export async function moveRevisions(
  tx: Transaction,
  brandId: number,
  { dataset, range, later, at }: DatasetChange,
): Promise<void> {
  await tx.run(
    statement<never>(
      'move_dataset_revisions',
      `insert into analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at)
       select $1, $2, changed.day, next.revision, $3
       from (
         select $4::date + n as day from generate_series(0, $5::date - $4::date) as n
         union select unnest($6::date[])
       ) as changed,
       (
         select coalesce(max(r.revision), 0) + 1 as revision from analytics.dataset_revisions r
         where r.brand_id = $1 and r.dataset = $2
       ) as next
       on conflict (brand_id, dataset, day) do update
       set revision = excluded.revision, refreshed_at = excluded.refreshed_at`,
      [brandId, dataset, at, range.from, range.to, later],
    ),
  );
}
