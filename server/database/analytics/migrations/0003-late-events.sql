-- Events of a day are counted as they arrive, so that operators see how many an aggregation has missed. Events from before this
-- migration are not counted on either side.
alter table analytics.brand_days
  add column events bigint not null default 0,
  -- Those that the last aggregation has included.
  add column aggregated_events bigint not null default 0;
