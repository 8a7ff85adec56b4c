-- A routine because the two that change the partitions of the audit share it, and have its limit of half a second for each lock.
--
-- Locks the audit, and first the table that it references, whose triggers change with its partitions, too. Only one transaction at
-- a time changes partitions. Fails if a lock is not free in time, because readers and writers of the tables queue behind it.
create or replace function lock_audit() returns void language plpgsql set lock_timeout = '500ms' as $$
begin
  perform pg_advisory_xact_lock(4217735, 0);
  lock table only brands, only audit_entries in access exclusive mode;
end
$$;
