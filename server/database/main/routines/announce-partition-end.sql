-- A routine because the names of partitions are not known before it runs, so its DDL has to be built (format, execute).
--
-- The last partition of a table has no end, so that each id has a partition. When it is in use, or large, it gets an end that
-- is far ahead, in three transactions: this one adds the check that no id is beyond the end, `validate_partition_end` proves
-- it for the rows that exist, without a lock that anyone waits for, and `open_next_partition` makes the end the partition's
-- and adds the next partition. Returns the name of the partition with an announced end, also one that was announced before
-- and interrupted; null: the last partition needs no end.
--
-- A partition gets about a sixteenth of its table, and `p_least_bytes` at least, so that a table has no more than some 17 of
-- them: every statement that names no id pays for each. `p_sequence` draws the ids. Waits half a second at most for each lock.
create or replace function announce_partition_end(p_table text, p_sequence text, p_least_bytes bigint) returns text
language plpgsql set lock_timeout = '500ms' as $$
declare
  latest record;
  previous record;
  key_name text;
  used bigint;
  is_used boolean;
  first_id bigint;
  latest_bytes numeric;
  previous_bytes numeric := 0;
  target numeric;
  width numeric;
begin
  perform pg_advisory_xact_lock(4217735, 0);
  select p.* into strict latest from table_partitions p where p.table_name = p_table and p.ends_before is null;
  if latest.announced_end is not null then
    return latest.name;
  end if;
  execute format('select case when s.is_called then s.last_value else 0 end from %I s', p_sequence) into used;
  execute format('select exists (select from %I)', latest.name) into is_used;
  latest_bytes := pg_total_relation_size(latest.partition_oid);
  select greatest(p_least_bytes, sum(pg_total_relation_size(p.partition_oid)) / 16) into target
  from table_partitions p where p.table_name = p_table;
  if not is_used or (latest.begins_at is null and latest_bytes < target / 2) then
    return null;
  end if;
  -- The ids of as many bytes as the partition still gets, at the rate of bytes for each id until now.
  select p.* into previous from table_partitions p where p.table_name = p_table and p.ends_before = latest.begins_at;
  select a.attname into strict key_name
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = p_table::regclass;
  if previous.name is not null then
    previous_bytes := pg_total_relation_size(previous.partition_oid);
    first_id := previous.begins_at;
  end if;
  if first_id is null then
    -- The lowest id is not known without reading the table; what ANALYZE has seen is close enough.
    select min(v.id) into first_id from pg_stats s
    cross join lateral (
      select unnest(s.histogram_bounds::text::bigint[]) as id union all select unnest(s.most_common_vals::text::bigint[])
    ) v
    where s.schemaname = 'public' and s.tablename = coalesce(previous.name, latest.name) and s.attname = key_name;
  end if;
  width := greatest(target - latest_bytes, target / 2) * (used - coalesce(first_id, 0)) / (latest_bytes + previous_bytes);
  execute format('alter table %I add constraint %I check (%I < %s) not valid', latest.name, latest.name || '_end', key_name,
    greatest(used, latest.begins_at) + greatest(ceil(width), 1000));
  return latest.name;
end
$$;
