-- Find the changes of one resource, and those of one actor, newest first.
create index audit_entries_by_resource on audit_entries (resource_id, id);
create index audit_entries_by_actor on audit_entries (actor, id);
