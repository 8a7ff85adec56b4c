-- A routine because a partition's name is not known before it runs, so its DDL has to be built (format, execute).
--
-- Creates the partition of a month of the audit (UTC), and moves its entries there from the default partition, which takes the
-- entries of months without one. Returns its name; null: a partition has the month. Fails if a lock is not free (lock_audit).
create or replace function make_audit_partition(p_at timestamptz) returns text
language plpgsql set lock_timeout = '500ms' as $$
declare
  month timestamp := date_trunc('month', p_at at time zone 'UTC');
  begins timestamptz := month at time zone 'UTC';
  ends timestamptz := (month + interval '1 month') at time zone 'UTC';
  new_name text := 'audit_entries_' || to_char(month, 'YYYY_MM');
begin
  if exists (select from audit_partitions p where p.ends_before > begins and (p.begins_at <= begins or p.begins_at is null)) then
    return null;
  end if;
  perform lock_audit();
  -- Another process may have created it meanwhile.
  if to_regclass(new_name) is not null then
    return null;
  end if;
  execute format('create table %I (like audit_entries including defaults including constraints)', new_name);
  -- The triggers of a closed brand would keep its entries here.
  alter table audit_entries_default disable trigger user;
  execute format('with moved as (
      delete from audit_entries_default where at >= %L and at < %L
      returning id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name
    )
    insert into %I (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name)
    select id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name from moved',
    begins, ends, new_name);
  alter table audit_entries_default enable trigger user;
  execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', new_name, begins, ends);
  return new_name;
end
$$;
