-- A routine because the processes of 0.2 call it during a rolling restart, for records that are looked up after the locks were
-- tried. Later ones send two statements; the next version drops it.
--
-- Claims Idempotency-Keys for this transaction. Returns a row for each, numbered from 0. state: 'settled' (the other columns
-- hold the record), 'claimed' (the caller runs the write) or 'running' (another transaction, or an earlier place of the
-- list, has the key). The locks are advisory and end with the transaction, so a crash blocks no key.
create or replace function claim_idempotency_keys(
  p_brand_ids integer[], p_lineage_ids bigint[], p_keys text[], p_not_before timestamptz
)
returns table (n integer, state text, fingerprint bytea, status smallint, headers jsonb, body text)
language plpgsql volatile as $$
declare
  claimed boolean[];
begin
  select array_agg(k.is_first and pg_try_advisory_xact_lock(hashtextextended(k.lineage_id || ':' || k.key, k.brand_id))
    order by k.place)
  into claimed
  from (
    select a.*, row_number() over (partition by a.brand_id, a.lineage_id, a.key order by a.place) = 1 as is_first
    from unnest(p_brand_ids, p_lineage_ids, p_keys) with ordinality as a (brand_id, lineage_id, key, place)
  ) k;
  return query
    select k.place::integer - 1,
      case when r.body is not null then 'settled' when claimed[k.place] then 'claimed' else 'running' end,
      r.fingerprint, r.status, r.headers, r.body
    from unnest(p_brand_ids, p_lineage_ids, p_keys) with ordinality as k (brand_id, lineage_id, key, place)
    left join lateral (
      select i.fingerprint, i.status, i.headers, i.body from idempotency_records i
      where i.brand_id = k.brand_id and i.lineage_id = k.lineage_id and i.idempotency_key = k.key
        and i.created_at > p_not_before
      offset 0
    ) r on true;
end
$$;
