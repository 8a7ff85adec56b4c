-- A routine because the names of the partitions to drop are not known before it runs, so its DDL has to be built.
--
-- Declares the raw events of all brands before the month of the given day dropped, and drops their partitions; the datasets
-- keep their numbers. Stops before the month of the first day that is dirty. Returns the first day whose events are kept. Rows
-- of earlier days in the default partition and in event_claims are the caller's to delete afterwards. Waits half a second at
-- most for each lock, because events and aggregations queue behind it, and then fails.
create or replace function analytics.drop_events_before(p_day date) returns date
language plpgsql set lock_timeout = '500ms' as $$
declare
  first_kept date := date_trunc('month', p_day)::date;
  first_dirty date;
  partition_name text;
begin
  -- A backup holds this lock from before its snapshot: otherwise it could have the old state of event_retention without the
  -- partition.
  perform pg_advisory_xact_lock(4217734, 0);
  -- An aggregation that has read events finishes first, and one that starts now sees what remains. Nor is any transaction left
  -- that has added events and not committed their mark.
  lock table analytics.learning_events in access exclusive mode;
  select min(d.day) into first_dirty
  from analytics.brand_days d left join analytics.event_retention r on true
  where d.is_dirty and d.day < first_kept and (r.kept_since is null or d.day >= r.kept_since);
  first_kept := least(first_kept, date_trunc('month', first_dirty)::date);
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
  return first_kept;
end
$$;
