-- A routine because the names of the partitions to drop are not known before it runs, so its DDL has to be built.
--
-- Drops the raw events of all brands before the month of the given day; the datasets keep their numbers. Returns the first
-- day whose events are kept. Waits 30 s at most for each lock and then fails.
create or replace function analytics.drop_events_before(p_day date) returns date
language plpgsql set lock_timeout = '30s' as $$
declare
  first_kept date := date_trunc('month', p_day)::date;
  partition_name text;
begin
  -- An aggregation that has read events finishes first, and one that starts now sees what remains.
  lock table analytics.learning_events in access exclusive mode;
  insert into analytics.event_retention (kept_since) values (first_kept)
  on conflict (is_only) do update set kept_since = greatest(analytics.event_retention.kept_since, excluded.kept_since)
  returning kept_since into first_kept;
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'analytics.learning_events'::regclass
      and c.relname ~ '^learning_events_\d{4}_\d\d$'
      and to_date(right(c.relname, 7), 'YYYY_MM') < first_kept
    order by c.relname
  loop
    execute format('drop table analytics.%I', partition_name);
  end loop;
  delete from analytics.learning_events_default where day < first_kept;
  delete from analytics.event_claims where day < first_kept;
  return first_kept;
end
$$;
