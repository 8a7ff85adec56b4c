-- The last revision of each cause, 0: never. A day's revision is the greatest of them, unless a version without this migration
-- wrote it later: such a change counts as an aggregation.
alter table analytics.dataset_revisions
  -- The day's rows were replaced.
  add column aggregated_revision bigint not null default 0,
  -- Rows of learners were hidden, shown again or erased.
  add column exclusion_revision bigint not null default 0,
  -- Rows of contents or markets that the directory began or ceased to list.
  add column directory_revision bigint not null default 0,
  -- Only running totals were recomputed.
  add column corrected_revision bigint not null default 0,
  add constraint dataset_revisions_causes check (
    revision >= greatest(aggregated_revision, exclusion_revision, directory_revision, corrected_revision)
  ) not valid;

alter table analytics.dataset_revisions validate constraint dataset_revisions_causes;
