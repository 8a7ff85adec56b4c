import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import type { DirectoryKind, DirectorySubjects } from '../dataset-changes.ts';

/** A dataset whose rows a change of the directory can hide or show, and the days with such rows of the subject `s.id`. */
interface AffectedDataset {
  readonly dataset: DatasetName;
  /** A select of column `day`. $1: the brand; $3: the days to look for. */
  readonly find: string;
}

// A subject's rows are read by an index that begins with it. `+ 0` keeps PostgreSQL from reading all rows of a day by the index
// on days, which looks as good without statistics.
const rowsOf = (table: string, column: string) =>
  `select r.day from analytics.${table} r where r.brand_id = $1 and r.${column} = s.id and r.day + 0 = any($3::date[])`;

/** The datasets that show rows of each kind of subject. */
export const affectedDatasets: Readonly<Record<DirectoryKind, readonly AffectedDataset[]>> = {
  learner: [
    { dataset: 'users', find: rowsOf('users', 'user_id') },
    { dataset: 'content_engagement', find: rowsOf('content_engagement', 'user_id') },
  ],
  content: [
    { dataset: 'contents', find: rowsOf('contents', 'content_ref_id') },
    {
      dataset: 'content_engagement',
      // One look-up for each day, not all learners of the content.
      find: `${rowsOf('contents', 'content_ref_id')} and exists (
          select from analytics.content_engagement e
          where e.brand_id = $1 and e.content_ref_id = s.id and e.day = r.day
        )`,
    },
  ],
  market: [{ dataset: 'daily', find: rowsOf('daily', 'market_id') }],
};

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

/** Those of the days `among` on which a dataset has rows of one of the subjects. Linear in the rows of the subjects. */
export async function listAffectedDays(
  tx: Transaction,
  brandId: number,
  { kind, ids }: DirectorySubjects,
  { dataset, find, among }: AffectedDataset & { readonly among: readonly Day[] },
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      `list_affected_days/${kind}/${dataset}`,
      `select distinct to_char(a.day, 'YYYY-MM-DD') as day
       from unnest($2::bigint[]) as s (id)
       cross join lateral (select distinct f.day from (${find}) f offset 0) as a`,
      [brandId, ids, among],
    ),
  );
  return rows.map(({ day }) => day);
}
