-- The revision above which all datasets continue, also those without days: a restore raises it, since clients may have seen
-- revisions that the restored rows do not have. No row: nothing was restored.
create table analytics.revision_floor (
  is_only boolean primary key default true check (is_only),
  revision bigint not null
);
