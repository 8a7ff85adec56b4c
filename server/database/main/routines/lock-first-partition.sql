-- A routine because the partition's name is not known before it runs.
--
-- Locks a table and its first partition before the partition is dropped, so that nobody reads or writes it to the commit.
-- Returns the partition's end; null: the table has one partition only. Waits half a second at most for each lock, because
-- readers and writers of the table queue behind it, and then fails.
create or replace function lock_first_partition(p_table text) returns bigint
language plpgsql set lock_timeout = '500ms' as $$
declare
  earliest record;
begin
  -- A backup holds this lock from before its snapshot: otherwise it could have the rows that refer to the partition without it.
  perform pg_advisory_xact_lock(4217734, 0);
  perform lock_partitioned_table(p_table);
  select p.* into strict earliest from table_partitions p where p.table_name = p_table and p.begins_at is null;
  execute format('lock table %I in access exclusive mode', earliest.name);
  return earliest.ends_before;
end
$$;
