import type { Database } from '../../src/postgres/database.ts';

/** Brandport's own objects; those of an extension would have to be listed, too. */
const own = "n.nspname in ('public', 'analytics')";
const ofRelation = `join pg_class c on c.oid = %s join pg_namespace n on n.oid = c.relnamespace and ${own}`;
const join = (oid: string) => ofRelation.replace('%s', oid);

/** One text for each object, with all in which two databases may differ. What partitions inherit comes with their table. */
const objects = `
  select concat_ws(' ', 'relation', c.oid::regclass, c.relkind, c.relpersistence, c.relrowsecurity, c.reloptions,
    pg_get_partkeydef(c.oid), (select i.inhparent::regclass from pg_inherits i where i.inhrelid = c.oid),
    pg_get_expr(c.relpartbound, c.oid), case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end,
    obj_description(c.oid, 'pg_class')) as object
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${own}
  union all
  select concat_ws(' ', 'column', row_number() over (partition by a.attrelid order by a.attnum), a.attrelid::regclass,
    a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, a.attstorage, a.attcompression, a.attnotnull,
    a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid, true), col_description(a.attrelid, a.attnum))
  from pg_attribute a ${join('a.attrelid')} and c.relkind in ('r', 'p', 'v')
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped
  union all
  select concat_ws(' ', 'constraint', o.conrelid::regclass, o.conname, pg_get_constraintdef(o.oid, true), o.convalidated)
  from pg_constraint o ${join('o.conrelid')} where o.conislocal and o.conparentid = 0
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(x.indexrelid), x.indisvalid)
  from pg_index x ${join('x.indexrelid')} and not c.relispartition
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid, true), t.tgenabled)
  from pg_trigger t ${join('t.tgrelid')} where not t.tgisinternal and t.tgparentid = 0
  union all
  select concat_ws(' ', 'sequence', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax,
    s.seqmin, s.seqcycle)
  from pg_sequence s ${join('s.seqrelid')}
  union all
  select concat_ws(' ', 'routine', case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid)
    else p.oid::regprocedure::text end, obj_description(p.oid, 'pg_proc'))
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${own}
  union all
  select concat_ws(' ', 'type', t.oid::regtype, t.typtype) from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where ${own} and t.typtype in ('d', 'e', 'r')
  union all
  select concat_ws(' ', 'statistics', s.stxname)
  from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace where ${own}
  union all
  select concat_ws(' ', 'extension', e.extname) from pg_extension e
  order by 1`;

/** Returns a text for each object of the schema, sorted: two databases with the same texts have the same schema. */
export async function describeSchema(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ object: string }>(objects);
  return rows.map(({ object }) => object);
}

/** Returns the statements of what no migration makes: the views, and the partitions of months. */
export async function listViewsAndMonths(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>(
    `select case c.relkind
       when 'v' then format(E'CREATE VIEW %s AS\\n%s', c.oid::regclass, pg_get_viewdef(c.oid, true))
       else format('CREATE TABLE %s PARTITION OF analytics.learning_events %s;', c.oid::regclass,
         pg_get_expr(c.relpartbound, c.oid))
       end as statement
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${own} and (c.relkind = 'v' or c.relname ~ '^learning_events_\\d' and c.relkind = 'r')
     order by c.oid`,
  );
  return rows.map(({ statement }) => statement);
}
