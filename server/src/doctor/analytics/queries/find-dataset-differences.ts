import type { Day } from '../../../analytics/day.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';

/** The number of examples that one statement returns; the rest is only counted. */
export const exampleLimit = 50;

export interface DatasetDifferenceRow {
  readonly day: Day;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
  readonly found: number;
  readonly first_day: Day;
  readonly last_day: Day;
}

export async function findDatasetDifferences(
  tx: Transaction,
  name: string,
  differences: string,
  values: readonly unknown[],
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      `find_${name}`,
      `select to_char(day, 'YYYY-MM-DD') as day, id, field, stored, actual, count(*) over () as found,
         to_char(min(day) over (), 'YYYY-MM-DD') as first_day, to_char(max(day) over (), 'YYYY-MM-DD') as last_day
       from (${differences}) as different
       order by different.day, id, field
       limit ${exampleLimit}`,
      values,
    ),
  );
}
