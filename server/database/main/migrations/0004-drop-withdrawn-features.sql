-- Drops what is of features that this version no longer has. A section for each.

-- A brand that is closed for a move between cells may live elsewhere by now, so an operator has to decide where it is.
do $$
declare
  closed text;
begin
  select string_agg(id::text, ', ' order by id) into closed from brands where closed_at is not null;
  if closed is not null then
    raise exception 'brands are closed for a move, which this version does not have: %. Open or remove them with the version that closed them.', closed;
  end if;
end
$$;

-- Partitions of the audit. All entries move to one table, under their ids: some 8 s for a million. Only requests that read or write
-- the audit wait for it: what locks the brands comes after the rows.
alter table audit_entries rename to audit_entries_by_month;
alter table audit_entries_by_month drop constraint audit_entries_pkey;
drop index audit_entries_by_brand, audit_entries_by_action, audit_entries_by_request, audit_entries_by_age, audit_entries_by_resource,
  audit_entries_by_actor;
create table audit_entries (like audit_entries_by_month including defaults including constraints);
insert into audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name)
  select id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name
  from audit_entries_by_month order by id;
alter table audit_entries add constraint audit_entries_pkey primary key (id);
create index audit_entries_by_brand on audit_entries (brand_id, id);
create index audit_entries_by_action on audit_entries (action, id);
create index audit_entries_by_request on audit_entries (request_id) where request_id is not null;
create index audit_entries_by_age on audit_entries (at);
create index audit_entries_by_resource on audit_entries (resource_id, id);
create index audit_entries_by_actor on audit_entries (actor, id);
alter table audit_entries add constraint audit_entries_brand_id_fkey foreign key (brand_id) references brands (id);
do $$
declare
  earlier record;
begin
  select s.last_value, s.is_called into earlier from audit_entries_id_seq s;
  drop table audit_entries_by_month;
  alter table audit_entries alter column id add generated always as identity;
  perform setval('audit_entries_id_seq', earlier.last_value, earlier.is_called);
end
$$;

-- Moves of brands between cells. Processes of version 0.2 read the columns `closed_at` and `brand_is_closed` while they are replaced, so
-- a later version drops them, and `exported_at`.
drop table cell;
-- A cell gave out ids of its own range.
alter table brands alter column id set no minvalue set no maxvalue set start with 1;
alter table feed_tokens alter column id set no minvalue set no maxvalue set start with 1;
