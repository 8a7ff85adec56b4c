-- Raw events by month: partitions are made ahead, and months that are old enough can be dropped.

-- The first day whose raw events were not dropped; no row: none were. Earlier days cannot be aggregated any more.
create table analytics.event_retention (
  is_only boolean primary key default true check (is_only),
  kept_since date not null
);

-- Makes the partition of a month, and moves there what waits for it in the default partition. False: it was there.
-- Waits 5 seconds for locks at the most, and fails then: the default partition takes the events meanwhile.
create function analytics.make_event_partition(p_day date) returns boolean
language plpgsql set lock_timeout = '5s' as $$
declare
  first_day date := date_trunc('month', p_day)::date;
  next_month date := (date_trunc('month', p_day) + interval '1 month')::date;
  partition_name text := 'learning_events_' || to_char(p_day, 'YYYY_MM');
begin
  -- One at a time; another process may have come first.
  perform pg_advisory_xact_lock(4217733, 0);
  if to_regclass('analytics.' || partition_name) is not null then
    return false;
  end if;
  -- Events that are being added have found their partition already: they go first, and others find the new one.
  lock table only analytics.learning_events in share row exclusive mode;
  lock table analytics.learning_events_default in access exclusive mode;
  execute format('create table analytics.%I (like analytics.learning_events including defaults including constraints)',
    partition_name);
  execute format('with moved as (
      delete from analytics.learning_events_default where day >= %L and day < %L
      returning brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
        progress, score, questions, answered, time_spent_seconds, xp_earned
    )
    insert into analytics.%I (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
        progress, score, questions, answered, time_spent_seconds, xp_earned)
    select * from moved', first_day, next_month, partition_name);
  execute format('alter table analytics.learning_events attach partition analytics.%I for values from (%L) to (%L)',
    partition_name, first_day, next_month);
  return true;
end
$$;

-- Drops the raw events of all brands before the month of the given day, for good; the datasets keep their numbers.
-- Answers the first day whose events are kept. Waits 30 seconds for what is running, and fails then.
create function analytics.drop_events_before(p_day date) returns date
language plpgsql set lock_timeout = '30s' as $$
declare
  first_kept date := date_trunc('month', p_day)::date;
  partition_name text;
begin
  -- An aggregation that has read events ends first, and one that starts now will see what is kept.
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
