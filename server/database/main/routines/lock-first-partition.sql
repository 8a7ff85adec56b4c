-- A routine because the partition's name is not known before it runs.
--
-- Locks a table and its first partition before the partition is dropped, so that nobody reads or writes it to the commit.
-- Returns the partition's end; null: the table has one partition only. Waits half a second at most for each lock, because
-- readers and writers of the table queue behind it, and then fails.
create or replace function lock_first_partition(p_table text) returns bigint
language plpgsql set lock_timeout = '500ms' as $$
declare
  referenced text;
  earliest record;
begin
  -- A backup holds this lock from before its snapshot: otherwise it could have the rows that refer to the partition without it.
  perform pg_advisory_xact_lock(4217734, 0);
  perform pg_advisory_xact_lock(4217735, 0);
  -- First the tables that it references, in the order of those who write both: their triggers change, too.
  for referenced in
    select o.confrelid::regclass::text from pg_constraint o where o.conrelid = p_table::regclass and o.contype = 'f' order by 1
  loop
    execute format('lock table only %s in access exclusive mode', referenced);
  end loop;
  execute format('lock table only %I in access exclusive mode', p_table);
  select p.* into strict earliest from table_partitions p where p.table_name = p_table and p.begins_at is null;
  execute format('lock table %I in access exclusive mode', earliest.name);
  return earliest.ends_before;
end
$$;
