import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './own-schemas.ts';

export interface ColumnRow {
  readonly relationOid: number;
  readonly name: string;
  readonly type: string;
  /** null if it is the type's default. */
  readonly collation: string | null;
  /** `plain`, `external`, `main` or `extended`; null if it is the type's default. */
  readonly storage: string | null;
  readonly isNotNull: boolean;
  /** `a` always, `d` by default, empty for none. */
  readonly identity: '' | 'a' | 'd';
  /** `s` stored, `v` virtual, empty for a plain column. */
  readonly generated: '' | 's' | 'v';
  /** The default, or the expression of a generated column. */
  readonly expression: string | null;
  readonly comment: string | null;
}

/** Lists the columns of all tables and views, in their order. */
export function listColumns(database: Database): Promise<ColumnRow[]> {
  return database.run(
    statement<ColumnRow>(
      'list_columns',
      `select a.attrelid as "relationOid", quote_ident(a.attname) as name,
         format_type(a.atttypid, a.atttypmod) as type,
         case when a.attcollation <> t.typcollation then quote_ident(l.collname) end as collation,
         case when a.attstorage <> t.typstorage
           then case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end
         end as storage,
         a.attnotnull as "isNotNull", a.attidentity as identity, a.attgenerated as generated,
         pg_get_expr(d.adbin, d.adrelid, true) as expression,
         col_description(a.attrelid, a.attnum) as comment
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
       left join pg_collation l on l.oid = a.attcollation
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where ${isOwnSchema('n')} and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
       order by a.attrelid, a.attnum`,
      [],
      { long: true },
    ),
  );
}
