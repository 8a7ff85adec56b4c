-- A routine because the names of partitions are not known before it runs, so its DDL has to be built.
--
-- Drops the first partition of a table, which `lock_first_partition` has locked, and gives its range to the next one, so that
-- an old id still has a partition. Reads no rows. Fails if it is the only partition.
create or replace function drop_first_partition(p_table text) returns void
language plpgsql set lock_timeout = '500ms' as $$
declare
  earliest record;
  following record;
begin
  select p.* into strict earliest from table_partitions p where p.table_name = p_table and p.begins_at is null;
  select p.* into strict following from table_partitions p
  where p.table_name = p_table and p.begins_at = earliest.ends_before;
  execute format('drop table %I', earliest.name);
  execute format('alter table %I detach partition %I', p_table, following.name);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', p_table, following.name,
    coalesce(following.ends_before::text, 'maxvalue'));
end
$$;
