-- A routine because the name of the partition is not known before it runs.
--
-- Drops the oldest partition of the audit if its time is over before the given one. Returns the number of its entries; null: none
-- is due. Fails if a lock is not free (lock_audit).
create or replace function drop_audit_partition(p_before timestamptz) returns bigint
language plpgsql set lock_timeout = '500ms' as $$
declare
  oldest text;
  entries bigint;
begin
  select p.name into oldest from audit_partitions p where p.ends_before <= p_before order by p.ends_before limit 1;
  if oldest is null then
    return null;
  end if;
  execute format('select count(*) from %I', oldest) into entries;
  -- A backup holds this lock from before its snapshot, and would miss the entries.
  perform pg_advisory_xact_lock(4217734, 0);
  perform lock_audit();
  execute format('drop table if exists %I', oldest);
  return entries;
end
$$;
