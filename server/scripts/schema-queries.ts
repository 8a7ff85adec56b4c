import type { Database } from '../src/postgres/database.ts';
import { statement } from '../src/postgres/statement.ts';

interface SchemaRow {
  readonly name: string;
  readonly comment: string | null;
}

/** Lists Brandport's schemas except `public`, which every database has. */
export function listSchemas(database: Database): Promise<SchemaRow[]> {
  return database.run(
    statement<SchemaRow>(
      'list_schemas',
      `select quote_ident(n.nspname) as name, obj_description(n.oid, 'pg_namespace') as comment
       from pg_namespace n
       where ${isOwnSchema('n')} and n.nspname <> 'public'
       order by n.nspname`,
      [],
      { long: true },
    ),
  );
}

/**
 * Returns the condition that a namespace belongs to Brandport, not to PostgreSQL or pg-boss. `alias` is that
 * of `pg_namespace`.
 */
function isOwnSchema(alias: string): string {
  return `${alias}.nspname !~ '^pg_' and ${alias}.nspname not in ('information_schema', 'pgboss')`;
}

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

export interface ConstraintRow {
  readonly relationOid: number;
  readonly name: string;
  /** The text after the name, such as `CHECK (…)`. */
  readonly definition: string;
}

/**
 * Lists the constraints of all tables: keys first, then foreign keys, then checks. Omits NOT NULL, which is
 * part of the columns, and constraints that partitions inherit.
 */
export function listConstraints(database: Database): Promise<ConstraintRow[]> {
  return database.run(
    statement<ConstraintRow>(
      'list_constraints',
      `select o.conrelid as "relationOid", quote_ident(o.conname) as name, pg_get_constraintdef(o.oid, true) as definition
       from pg_constraint o
       join pg_namespace n on n.oid = o.connamespace
       where ${isOwnSchema('n')} and o.conrelid <> 0 and o.contype in ('p', 'u', 'x', 'f', 'c') and o.conislocal
         and o.conparentid = 0
       order by o.conrelid, position(o.contype::text in 'puxfc'), o.oid`,
      [],
      { long: true },
    ),
  );
}

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

interface RoutineRow {
  readonly oid: number;
  /** The whole statement. */
  readonly definition: string;
  /** The name with the types of the arguments. */
  readonly signature: string;
  readonly comment: string | null;
}

/** Lists functions and procedures. */
export function listRoutines(database: Database): Promise<RoutineRow[]> {
  return database.run(
    statement<RoutineRow>(
      'list_routines',
      `select p.oid, pg_get_functiondef(p.oid) as definition, p.oid::regprocedure::text as signature,
         obj_description(p.oid, 'pg_proc') as comment
       from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where ${isOwnSchema('n')} and p.prokind in ('f', 'p')
       order by p.oid`,
      [],
      { long: true },
    ),
  );
}

interface TriggerRow {
  readonly oid: number;
  /** The whole statement. */
  readonly definition: string;
}

/** Lists triggers, except those that implement foreign keys and those that partitions inherit. */
export function listTriggers(database: Database): Promise<TriggerRow[]> {
  return database.run(
    statement<TriggerRow>(
      'list_triggers',
      `select t.oid, pg_get_triggerdef(t.oid, true) as definition
       from pg_trigger t
       join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and not t.tgisinternal and t.tgparentid = 0
       order by t.oid`,
      [],
      { long: true },
    ),
  );
}

/** Lists schema elements that the dump cannot express, so that none is silently omitted. */
export async function listUnreadable(database: Database): Promise<string[]> {
  const rows = await database.run(
    statement<{ what: string }>(
      'list_unreadable',
      `select 'extension ' || e.extname as what from pg_extension e where e.extname <> 'plpgsql'
       union all
       select 'type ' || t.oid::regtype from pg_type t
       join pg_namespace n on n.oid = t.typnamespace
       left join pg_class c on c.oid = t.typrelid
       where ${isOwnSchema('n')} and (t.typtype in ('d', 'e', 'r') or c.relkind = 'c')
       union all
       select 'relation ' || c.oid::regclass from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and c.relkind in ('m', 'f')
       union all
       select 'sequence ' || c.oid::regclass from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and c.relkind = 'S'
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
       union all
       select 'aggregate ' || p.oid::regprocedure from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where ${isOwnSchema('n')} and p.prokind in ('a', 'w')
       union all
       select 'row security of ' || c.oid::regclass from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and c.relrowsecurity
       union all
       select 'statistics ' || s.stxname from pg_statistic_ext s
       join pg_namespace n on n.oid = s.stxnamespace
       where ${isOwnSchema('n')}`,
      [],
      { long: true },
    ),
  );
  return rows.map(({ what }) => what);
}
