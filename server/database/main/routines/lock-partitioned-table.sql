-- A routine because the names of the tables are not known before it runs.
--
-- Locks a partitioned table, and first the tables that it references, in the order of those who write both: their triggers change
-- with its partitions, too. Only one transaction at a time changes partitions. Waits half a second at most for each lock, because
-- readers and writers of the table queue behind it, and then fails.
create or replace function lock_partitioned_table(p_table text) returns void
language plpgsql set lock_timeout = '500ms' as $$
declare
  referenced text;
begin
  perform pg_advisory_xact_lock(4217735, 0);
  for referenced in
    select o.confrelid::regclass::text from pg_constraint o where o.conrelid = p_table::regclass and o.contype = 'f' order by 1
  loop
    execute format('lock table only %s in access exclusive mode', referenced);
  end loop;
  execute format('lock table only %I in access exclusive mode', p_table);
end
$$;
