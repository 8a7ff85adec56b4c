-- The sums of all keys of a dataset in ClickHouse, from its first day through a day, so that an aggregation does not add up all
-- earlier days. No row: there are none, or they are out of date.
create table analytics.running_totals (
  brand_id integer not null,
  dataset text collate "C" not null,
  -- The last day that they include.
  through date not null,
  generation bigint not null,
  -- The rows that ClickHouse must have of this generation, without those of erased learners.
  rows bigint not null,
  primary key (brand_id, dataset),
  constraint running_totals_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement')),
  constraint running_totals_rows check (rows >= 0)
);
