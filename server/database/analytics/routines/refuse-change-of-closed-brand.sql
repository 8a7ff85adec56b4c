-- A routine because triggers call it: those that `brandport brand close` creates [D202].
--
-- Refuses to write rows of a closed brand, as the function of the main database does. Arguments: the id of the brand, the name
-- of the table.
create or replace function analytics.refuse_change_of_closed_brand() returns trigger language plpgsql as $$
begin
  if current_setting('brandport.moved_brand', true) = tg_argv[0] then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' and tg_argv[1] in ('learning_events', 'event_claims') then
    -- A new partition takes its rows from the default one.
    if tg_table_name = 'learning_events_default' then
      return old;
    end if;
    -- What has become too old is dropped after the move.
    return null;
  end if;
  raise exception 'the brand % is closed', tg_argv[0] using errcode = '57B01';
end
$$;
