import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import { type ChangeCause, changeCauses } from '../dataset-changes.ts';

export interface DatasetChange {
  readonly dataset: DatasetName;
  /** The changed days by cause. A day has one cause. */
  readonly days: Readonly<Partial<Record<ChangeCause, readonly Day[]>>>;
  readonly at: Date;
}

const columns = changeCauses.map((cause) => `${cause}_revision`);
const known = (alias: string) => `greatest(${columns.map((column) => `${alias}.${column}`).join(', ')})`;

/** The last revision that can have replaced the rows. One above those of all causes is by a version that records none. */
export const replacedRevision = (alias: string) =>
  `case when ${alias}.revision > ${known(alias)} then ${alias}.revision else ${alias}.aggregated_revision end`;

const moveRevisionsSql = `insert into analytics.dataset_revisions as r
    (brand_id, dataset, day, revision, refreshed_at, ${columns.join(', ')})
  select $1, $2, changed.day, next.revision, $3,
    ${changeCauses.map((cause) => `case changed.cause when '${cause}' then next.revision else 0 end`).join(', ')}
  from unnest($4::date[], $5::text[]) as changed (day, cause),
  (
    select coalesce(max(n.revision), 0) + 1 as revision from analytics.dataset_revisions n
    where n.brand_id = $1 and n.dataset = $2
  ) as next
  on conflict (brand_id, dataset, day) do update
  set revision = excluded.revision, refreshed_at = excluded.refreshed_at,
    ${columns
      .map((column) => {
        const earlier = column === 'aggregated_revision' ? replacedRevision('r') : `r.${column}`;
        return `${column} = greatest(excluded.${column}, ${earlier})`;
      })
      .join(', ')}`;

/**
 * Gives the changed days of a dataset its next revision. The caller holds the lock of the brand's datasets, so that revisions
 * ascend in commit order.
 */
export async function moveRevisions(
  tx: Transaction,
  brandId: number,
  { dataset, days, at }: DatasetChange,
): Promise<void> {
  const changed = changeCauses.flatMap((cause) => (days[cause] ?? []).map((day) => ({ day, cause })));
  if (changed.length === 0) return;
  await tx.run(
    statement<never>('move_dataset_revisions', moveRevisionsSql, [
      brandId,
      dataset,
      at,
      changed.map(({ day }) => day),
      changed.map(({ cause }) => cause),
    ]),
  );
}
