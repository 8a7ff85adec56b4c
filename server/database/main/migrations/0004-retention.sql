-- Retention: what is older than its setting says is dropped.

-- The lines of a finished feed are dropped together; the feed, its batch id and its totals stay.
alter table stock_feeds add column lines_dropped_at timestamptz(3);
alter table stock_feeds
  add constraint stock_feeds_dropped_when_finished check (lines_dropped_at is null or finished_at is not null) not valid;
alter table stock_feeds validate constraint stock_feeds_dropped_when_finished;

-- Both find what is due, of all brands, the oldest first.
create index stock_feeds_with_lines on stock_feeds (finished_at) where finished_at is not null and lines_dropped_at is null;
create index audit_entries_by_age on audit_entries (at);

-- The last completed run of each policy.
create table retention_runs (
  policy text collate "C" primary key,
  finished_at timestamptz(3) not null default now_ms(),
  -- Rows dropped by that run.
  dropped_rows bigint not null,
  -- The first day whose events were due and had to stay, because it was not aggregated.
  held_back_by date,
  constraint retention_runs_dropped_rows_range check (dropped_rows >= 0)
);
