import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './list-schemas.ts';

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
