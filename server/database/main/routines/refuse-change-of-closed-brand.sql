-- A routine because triggers call it: those that `brandport brand close` creates [D202].
--
-- Refuses to write rows of a closed brand. Arguments: the id of the brand, the name of the table (that of the trigger may be a
-- partition's).
create or replace function refuse_change_of_closed_brand() returns trigger language plpgsql as $$
declare
  of_use constant text[] := '{last_used_at,last_used_from,last_refused_at,last_refused_code}';
begin
  -- Set by the commands that move a brand, until their transaction ends.
  if current_setting('brandport.moved_brand', true) = tg_argv[0] then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  -- Housekeeping of all brands leaves out this one: counts and times of use, refusals, and what has become too old.
  if tg_argv[1] = 'refusals' or tg_op = 'INSERT' and tg_argv[1] = 'api_key_usage'
    or tg_op = 'DELETE' and tg_argv[1] in ('api_key_usage', 'audit_entries', 'idempotency_records')
    or tg_op = 'UPDATE' and tg_argv[1] in ('api_keys', 'feed_tokens')
      and to_jsonb(new) - of_use = to_jsonb(old) - of_use then
    return null;
  end if;
  raise exception 'the brand % is closed', tg_argv[0] using errcode = '57B01';
end
$$;
