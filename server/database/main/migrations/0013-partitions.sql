-- The audit and the lines of feeds become partitioned by ranges of their ids. The present tables become the first partitions,
-- with all ids: no row is read or moved, and every index and constraint of theirs serves on. Later partitions come when a table
-- is large (routines/announce-partition-end.sql). Until then, processes of the version before find each row by its place in
-- the table, which is unambiguous as long as rows are in one partition.
alter table audit_entries rename to audit_entries_p1;
alter table audit_entries_p1 rename constraint audit_entries_pkey to audit_entries_p1_pkey;
alter index audit_entries_by_brand rename to audit_entries_p1_by_brand;
alter index audit_entries_by_action rename to audit_entries_p1_by_action;
alter index audit_entries_by_request rename to audit_entries_p1_by_request;
alter index audit_entries_by_age rename to audit_entries_p1_by_age;
alter index audit_entries_by_resource rename to audit_entries_p1_by_resource;
alter index audit_entries_by_actor rename to audit_entries_p1_by_actor;

-- The table has the identity, not its partitions. The sequence continues under its name.
do $$
declare
  earlier record;
begin
  select s.last_value, s.is_called into earlier from audit_entries_id_seq s;
  alter table audit_entries_p1 alter column id drop identity;
  create table audit_entries (like audit_entries_p1 including defaults including constraints) partition by range (id);
  alter table audit_entries alter column id add generated always as identity;
  perform setval('audit_entries_id_seq', earlier.last_value, earlier.is_called);
end
$$;
alter table audit_entries add constraint audit_entries_pkey primary key (id);
alter table audit_entries add constraint audit_entries_brand_id_fkey foreign key (brand_id) references brands (id);
create index audit_entries_by_brand on audit_entries (brand_id, id);
create index audit_entries_by_action on audit_entries (action, id);
create index audit_entries_by_request on audit_entries (request_id) where request_id is not null;
create index audit_entries_by_age on audit_entries (at);
create index audit_entries_by_resource on audit_entries (resource_id, id);
create index audit_entries_by_actor on audit_entries (actor, id);
alter table audit_entries attach partition audit_entries_p1 for values from (minvalue) to (maxvalue);

alter table stock_feed_lines rename to stock_feed_lines_p1;
alter table stock_feed_lines_p1 rename constraint stock_feed_lines_pkey to stock_feed_lines_p1_pkey;
create table stock_feed_lines (like stock_feed_lines_p1 including defaults including constraints) partition by range (feed_id);
alter table stock_feed_lines add constraint stock_feed_lines_pkey primary key (brand_id, feed_id, line);
alter table stock_feed_lines
  add constraint stock_feed_lines_of_feed foreign key (brand_id, feed_id) references stock_feeds (brand_id, id);
alter table stock_feed_lines attach partition stock_feed_lines_p1 for values from (minvalue) to (maxvalue);

-- Finds whether a range of feeds still has lines to keep.
create index stock_feeds_with_lines_by_id on stock_feeds (id) where lines_dropped_at is null;
