-- The partitions of the audit, each with its time of receipt: a month, or everything before the first month (`begins_at` is null).
-- Without the default partition. Derived from the catalog of PostgreSQL, so that it cannot differ.
create or replace view audit_partitions as
select c.relname::text as name,
  substring(b.bound from 'FROM \(''([^'']+)''')::timestamptz as begins_at,
  substring(b.bound from 'TO \(''([^'']+)''')::timestamptz as ends_before
from pg_class t
join pg_inherits i on i.inhparent = t.oid
join pg_class c on c.oid = i.inhrelid
cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
where t.relname = 'audit_entries' and t.relnamespace = 'public'::regnamespace and b.bound <> 'DEFAULT';
