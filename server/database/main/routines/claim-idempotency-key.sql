-- A routine because processes of the version before call it by this name. Delete it in the next version.
create or replace function claim_idempotency_key(
  p_brand_id integer, p_lineage_id bigint, p_key text, p_not_before timestamptz
)
returns table (state text, fingerprint bytea, status smallint, headers jsonb, body text)
language sql volatile
begin atomic
  select l.state, l.fingerprint, l.status, l.headers, l.body
  from try_lock_idempotency_key(p_brand_id, p_lineage_id, p_key, p_not_before) l;
end;
