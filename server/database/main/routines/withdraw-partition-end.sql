-- A routine because the partition's name is not known before it runs. Takes an announced end back, so that no insert beyond it
-- fails; a partition that has its end keeps it.
create or replace function withdraw_partition_end(p_partition text) returns void
language plpgsql set lock_timeout = '5s' as $$
begin
  perform pg_advisory_xact_lock(4217735, 0);
  if exists (select from table_partitions p where p.name = p_partition and p.ends_before is null) then
    execute format('alter table %I drop constraint if exists %I', p_partition, p_partition || '_end');
  end if;
end
$$;
