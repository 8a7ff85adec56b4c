-- The partitions of the tables that are partitioned by ranges of an id, with their ranges: a null `begins_at` is before every
-- id, a null `ends_before` after every id. `announced_end` is the end that the last one gets (announce_partition_end). Derived
-- from the catalog of PostgreSQL, so that it cannot differ.
create or replace view table_partitions as
select t.relname::text as table_name, c.relname::text as name, c.oid as partition_oid,
  (substring(b.bound from 'FROM \(''?(\d+)'))::bigint as begins_at,
  (substring(b.bound from 'TO \(''?(\d+)'))::bigint as ends_before,
  (substring(pg_get_constraintdef(o.oid) from '< ''?(\d+)'))::bigint as announced_end,
  coalesce(o.convalidated, false) as is_end_validated
from pg_partitioned_table p
join pg_class t on t.oid = p.partrelid and t.relnamespace = 'public'::regnamespace
join pg_inherits i on i.inhparent = t.oid
join pg_class c on c.oid = i.inhrelid
cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
left join pg_constraint o on o.conrelid = c.oid and o.conname = c.relname || '_end';
