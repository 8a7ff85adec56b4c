-- A routine because only a trigger covers every way of changing the directory.
--
-- Increments the brand's directory version, once per transaction: with 10,000 changes of one row in a transaction, each would
-- have to search through the versions of the row before it. With the kind of the row as its argument, also records the row in
-- directory_changes.
create or replace function note_directory_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
  end if;
  if tg_nargs = 1 then
    insert into directory_changes (brand_id, kind, subject_id) values (changed.brand_id, tg_argv[0], changed.id);
  end if;
  -- The setting ends with the transaction, and with a rollback to a savepoint before it.
  if current_setting('brandport.directory_changed', true) is distinct from changed.brand_id::text then
    insert into directory_versions as v (brand_id, version) values (changed.brand_id, 1)
    on conflict (brand_id) do update set version = v.version + 1;
    perform set_config('brandport.directory_changed', changed.brand_id::text, true);
  end if;
  return null;
end
$$;

create or replace trigger learners_note_opt_out after update on learners
for each row when (old.analytics_opt_out <> new.analytics_opt_out) execute function note_directory_change('learner');

create or replace trigger learners_note_deletion after delete on learners
for each row execute function note_directory_change('learner');

create or replace trigger contents_note_listing after update on contents
for each row when (old.is_listed <> new.is_listed) execute function note_directory_change('content');

create or replace trigger contents_note_name after update on contents
for each row when (old.is_listed and new.is_listed and old.name is distinct from new.name)
execute function note_directory_change();

create or replace trigger markets_note_deletion after delete on markets
for each row execute function note_directory_change('market');
