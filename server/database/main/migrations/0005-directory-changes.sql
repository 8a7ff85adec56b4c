-- Changes of the directory that decide which analytics rows are served: opt-outs, opt-ins and deletions of learners, listings
-- of contents, deletions of markets. The analytics store may be another database, or unavailable: a row commits with the
-- change and is deleted once the store has moved the revisions of the days. The triggers of note_directory_change write it.
create table directory_changes (
  brand_id integer not null,
  -- A new id for each change: deleting an earlier one must not delete a later one.
  id bigint generated always as identity,
  kind text not null,
  -- No foreign key: the subject may have been deleted.
  subject_id bigint not null,
  created_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id),
  constraint directory_changes_kind check (kind in ('learner', 'content', 'market'))
);

-- Incremented by each transaction that changes what analytics rows show of the directory: the changes above, and the names of
-- contents. Part of the entity tags of analytics pages. No row: 0.
create table directory_versions (
  brand_id integer primary key references brands (id),
  version bigint not null,
  constraint directory_versions_version check (version > 0)
);
