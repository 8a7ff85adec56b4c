import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import type { Scan } from './find-batch-end.ts';

/** A foreign key within a brand, and the column by which the table is scanned. */
export interface Reference {
  readonly constraint: string;
  readonly scan: Scan;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** Finds rows that refer to a missing row. Constraints prevent this unless they were disabled. */
export function findBrokenReferences({ constraint, scan, columns, parent, parentColumns }: Reference) {
  const { table, key } = scan;
  const type = key === 'sku' ? 'text' : 'bigint';
  const same = columns.map((column, place) => `p.${parentColumns[place]} = c.${column}`).join(' and ');
  const text = `select c.${key}::text as key, '${table} ' || c.${key} as id, '${constraint}' as field,
      concat_ws(':', ${columns.map((column) => `c.${column}`).join(', ')}) as stored, null as actual, false as is_repairable
    from ${table} c
    where c.brand_id = $1 and c.${key} > $2::${type} and c.${key} <= $3::${type}
      and ${columns.map((column) => `c.${column} is not null`).join(' and ')}
      and not exists (select from ${parent} p where p.brand_id = c.brand_id and ${same} offset 0)
    order by c.${key}`;
  return async (database: Database, brandId: number, { after, upTo }: Batch): Promise<DifferenceRow[]> =>
    database.run(
      statement<DifferenceRow>(`broken_references/${constraint}`, text, [brandId, after, upTo], {
        long: true,
      }),
    );
}
