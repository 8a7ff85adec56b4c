-- A routine because the names of partitions are not known before it runs, so its DDL has to be built.
--
-- Makes the announced and validated end of the last partition its end, and adds the next partition, which has none. Reads no
-- rows: the check proves the range. Returns the name of the new partition; null: no end was announced and validated. Waits half
-- a second at most for each lock, because readers and writers of the table queue behind it, and then fails.
create or replace function open_next_partition(p_table text) returns text
language plpgsql set lock_timeout = '500ms' as $$
declare
  latest record;
  next_name text;
  options text;
begin
  perform lock_partitioned_table(p_table);
  select p.* into strict latest from table_partitions p where p.table_name = p_table and p.ends_before is null;
  if latest.announced_end is null or not latest.is_end_validated then
    return null;
  end if;
  select p_table || '_p' || max(substring(p.name from '\d+$')::integer) + 1 into next_name
  from table_partitions p where p.table_name = p_table;
  select coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') into options
  from pg_class c where c.oid = latest.partition_oid;
  execute format('alter table %I detach partition %I', p_table, latest.name);
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', p_table, latest.name,
    coalesce(latest.begins_at::text, 'minvalue'), latest.announced_end);
  execute format('create table %I (like %I including defaults including constraints)', next_name, p_table) || options;
  execute format('alter table %I attach partition %I for values from (%s) to (maxvalue)', p_table, next_name,
    latest.announced_end);
  return next_name;
end
$$;
