import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './own-schemas.ts';

export interface RelationRow {
  readonly oid: number;
  /** Ascends with the time of creation; no partition has a lower one than its table, which may have been created after it. */
  readonly place: number;
  /** Quoted, and qualified where it is not in `public`. */
  readonly name: string;
  readonly isView: boolean;
  /** `brand_id=1, …`, or null. */
  readonly options: string | null;
  /** `RANGE (day)` of a partitioned table, or null. */
  readonly partitionKey: string | null;
  /** The parent table of a partition, and `FOR VALUES …` or `DEFAULT`. */
  readonly partitionOf: string | null;
  readonly partitionBound: string | null;
  /** The query of a view, without the semicolon. */
  readonly query: string | null;
  readonly comment: string | null;
}

/** Lists tables and views in creation order, partitions after their table. */
export function listRelations(database: Database): Promise<RelationRow[]> {
  return database.run(
    statement<RelationRow>(
      'list_relations',
      `select c.oid, greatest(c.oid, i.inhparent) as place, c.oid::regclass::text as name, c.relkind = 'v' as "isView",
         array_to_string(c.reloptions, ', ') as options,
         pg_get_partkeydef(c.oid) as "partitionKey",
         i.inhparent::regclass::text as "partitionOf",
         pg_get_expr(c.relpartbound, c.oid) as "partitionBound",
         case when c.relkind = 'v' then rtrim(pg_get_viewdef(c.oid, true), ';') end as query,
         obj_description(c.oid, 'pg_class') as comment
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid
       where ${isOwnSchema('n')} and c.relkind in ('r', 'p', 'v')
       order by place, i.inhparent is not null`,
      [],
      { long: true },
    ),
  );
}
