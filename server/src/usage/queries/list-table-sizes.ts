import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

export interface TableSize {
  readonly schema: string;
  readonly name: string;
  /** Table, indexes and out-of-line values, of all partitions. */
  readonly bytes: number;
  /** The part of `bytes` that a sample reads. */
  readonly heapBytes: number;
  readonly hasBrand: boolean;
  /** The stored size of a row `t`, as an SQL expression; a value that is compressed or out of line is not read for it. */
  readonly rowSize: string;
}

/** Lists the tables of the schemas, the largest first. Adds up sizes of files, without reading any. */
export function listTableSizes(database: Queryable, schemas: readonly string[]): Promise<TableSize[]> {
  return database.run(
    statement<TableSize>(
      'list_table_sizes',
      `select n.nspname as schema, c.relname as name, sum(pg_total_relation_size(p.oid))::float8 as bytes,
         sum(pg_relation_size(p.oid))::float8 as "heapBytes",
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'brand_id') as "hasBrand",
         (
           select '24 + ' || string_agg(format('coalesce(pg_column_size(t.%I), 0)', a.attname), ' + ')
           from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         ) as "rowSize"
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       cross join lateral (
         select c.oid union all select i.inhrelid from pg_inherits i where i.inhparent = c.oid
       ) as p
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ($1::text[])
       group by c.oid, n.nspname, c.relname
       order by bytes desc, n.nspname, c.relname`,
      [schemas],
      { long: true },
    ),
  );
}
