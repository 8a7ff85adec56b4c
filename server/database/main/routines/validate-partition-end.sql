-- A routine because the partition's name is not known before it runs. Proves that the rows of a partition are before its
-- announced end; reads all of them, while others read and write.
create or replace function validate_partition_end(p_partition text) returns void
language plpgsql set lock_timeout = '500ms' as $$
begin
  execute format('alter table %I validate constraint %I', p_partition, p_partition || '_end');
end
$$;
