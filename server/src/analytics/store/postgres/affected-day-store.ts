import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import type { DirectoryKind, DirectorySubjects } from '../dataset-changes.ts';

// Each select has a column `day`. $1: the brand; `s.id`: the subject; $3: the days to look for.

// Read by an index that begins with the subject. `+ 0` keeps PostgreSQL from the index on days, which looks as good without
// statistics.
const rowsOf = (table: string, column: string) =>
  `select r.day from analytics.${table} r where r.brand_id = $1 and r.${column} = s.id and r.day + 0 = any($3::date[])`;

/** The days with rows of a subject, by kind of subject and dataset. */
const daysWithRows: Readonly<Record<DirectoryKind, Readonly<Partial<Record<DatasetName, string>>>>> = {
  learner: {
    users: rowsOf('users', 'user_id'),
    content_engagement: rowsOf('content_engagement', 'user_id'),
  },
  content: {
    contents: rowsOf('contents', 'content_ref_id'),
    // One look-up for each day, not all learners of the content.
    content_engagement: `${rowsOf('contents', 'content_ref_id')} and exists (
        select from analytics.content_engagement e
        where e.brand_id = $1 and e.content_ref_id = s.id and e.day = r.day
      )`,
  },
  market: { daily: rowsOf('daily', 'market_id') },
};

/** See `AnalyticsEngine.listAffectedDays`. Linear in the rows of the subjects. */
export async function listAffectedDays(
  tx: Transaction,
  brandId: number,
  { kind, ids }: DirectorySubjects,
  { dataset, among }: { readonly dataset: DatasetName; readonly among: readonly Day[] },
): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      `list_affected_days/${kind}/${dataset}`,
      `select distinct to_char(a.day, 'YYYY-MM-DD') as day
       from unnest($2::bigint[]) as s (id)
       cross join lateral (select distinct f.day from (${daysWithRows[kind][dataset]}) f offset 0) as a`,
      [brandId, ids, among],
    ),
  );
  return rows.map(({ day }) => day);
}
