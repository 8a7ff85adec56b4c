import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './own-schemas.ts';

export interface IndexRow {
  readonly relationOid: number;
  /** The whole statement. */
  readonly definition: string;
}

/** Lists the indexes that are neither created by a constraint nor inherited by a partition. */
export function listIndexes(database: Database): Promise<IndexRow[]> {
  return database.run(
    statement<IndexRow>(
      'list_indexes',
      `select x.indrelid as "relationOid", pg_get_indexdef(x.indexrelid, 0, true) as definition
       from pg_index x
       join pg_class c on c.oid = x.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and not c.relispartition
         and not exists (select from pg_constraint o where o.conindid = x.indexrelid and o.contype in ('p', 'u', 'x'))
       order by x.indrelid, x.indexrelid`,
      [],
      { long: true },
    ),
  );
}
