-- A routine because each statement in it sees what was committed before it: the record has to be looked up again after the
-- lock was tried, which a single statement cannot do.
--
-- Returns the settled record of an Idempotency-Key or locks the key for this transaction. state: 'settled' (the other
-- columns hold the record), 'locked' (the caller runs the write) or 'running' (another transaction holds the lock). The
-- lock is advisory and ends with its transaction, even after a crash, so no row can stay behind and block the key.
create or replace function try_lock_idempotency_key(
  p_brand_id integer, p_lineage_id bigint, p_key text, p_not_before timestamptz
)
returns table (state text, fingerprint bytea, status smallint, headers jsonb, body text)
language plpgsql volatile as $$
declare
  locked boolean;
begin
  for attempt in 1..2 loop
    return query
      select 'settled', r.fingerprint, r.status, r.headers, r.body
      from idempotency_records r
      where r.brand_id = p_brand_id and r.lineage_id = p_lineage_id and r.idempotency_key = p_key
        and r.created_at > p_not_before;
    if found then
      return;
    end if;
    if attempt = 1 then
      locked := pg_try_advisory_xact_lock(hashtextextended(p_lineage_id || ':' || p_key, p_brand_id));
    end if;
  end loop;
  state := case when locked then 'locked' else 'running' end;
  return next;
end
$$;
