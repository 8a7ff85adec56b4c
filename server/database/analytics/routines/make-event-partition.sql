-- A routine because a partition's name is not known before it runs, so its DDL has to be built (format, execute).
--
-- Creates the partition of a month and moves its events there from the default partition. Returns false if it existed. Waits
-- 5 s at most for each lock and then fails; the default partition takes the events meanwhile.
create or replace function analytics.make_event_partition(p_day date) returns boolean
language plpgsql set lock_timeout = '5s' as $$
declare
  first_day date := date_trunc('month', p_day)::date;
  next_month date := (date_trunc('month', p_day) + interval '1 month')::date;
  partition_name text := 'learning_events_' || to_char(p_day, 'YYYY_MM');
begin
  -- One at a time; another process may have created it meanwhile.
  perform pg_advisory_xact_lock(4217733, 0);
  if to_regclass('analytics.' || partition_name) is not null then
    return false;
  end if;
  -- Transactions that are adding events have already chosen the default partition: they finish first, and later ones
  -- find the new partition.
  lock table only analytics.learning_events in share row exclusive mode;
  -- A reader that listed the partitions before this one exists would find its rows gone from the default partition, and would
  -- aggregate the day without them. So where rows move, readers finish first, and later ones wait.
  if exists (select from analytics.learning_events_default d where d.day >= first_day and d.day < next_month) then
    lock table only analytics.learning_events in access exclusive mode;
  end if;
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
    select brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
      progress, score, questions, answered, time_spent_seconds, xp_earned from moved', first_day, next_month, partition_name);
  execute format('alter table analytics.learning_events attach partition analytics.%I for values from (%L) to (%L)',
    partition_name, first_day, next_month);
  return true;
end
$$;
