-- The analytics store: raw learning events, the record of days, and the datasets aggregated from the events. It may be in
-- another database than the main schema, so ids of learners, contents and markets, which are the main database's, are no
-- foreign keys. Functions are in ../routines.

-- Raw events ---------------------------------------------------------------------------------------------------------
-- Partitioned by month: partitions are created ahead, and old months can be dropped.

create table analytics.learning_events (
  brand_id integer not null,
  -- The UTC day of occurred_at.
  day date not null,
  event_id text collate "C" not null,
  occurred_at timestamptz(3) not null,
  kind text not null,
  user_id bigint not null,
  content_ref_id bigint not null,
  content_type text collate "C" not null,
  -- Fixed when the event arrived.
  market_id bigint,
  -- 0 to 100, exact as sent.
  progress numeric,
  score numeric,
  questions integer,
  answered integer,
  time_spent_seconds integer not null,
  xp_earned integer not null,
  primary key (brand_id, day, event_id),
  constraint learning_events_kind check (kind in ('view', 'completion', 'success', 'quiz'))
) partition by range (day);

create index learning_events_by_user on analytics.learning_events (brand_id, user_id);

-- Takes the events of months without a partition, so that no event is refused for its date.
create table analytics.learning_events_default partition of analytics.learning_events default;

-- Makes event_id unique per brand across days, which a table partitioned by day cannot.
create table analytics.event_claims (
  brand_id integer not null,
  event_id text collate "C" not null,
  day date not null,
  primary key (brand_id, event_id)
);

create index event_claims_by_day on analytics.event_claims (day);

-- One row for each day of a brand that has events or was aggregated; aggregated_at is null until the first aggregation.
create table analytics.brand_days (
  brand_id integer not null,
  day date not null,
  aggregated_at timestamptz(3),
  -- Incremented by every transaction that adds events of the day. A number and not a flag: an aggregation records the one
  -- that it has seen, so events that arrive while it runs leave the day dirty, and neither waits for the other.
  changes bigint not null default 0,
  aggregated_changes bigint not null default 0,
  is_dirty boolean not null generated always as (changes > aggregated_changes) stored,
  -- Dataset -> number of its rows at the last aggregation.
  row_counts jsonb not null default '{}',
  -- Events are counted as they arrive, so that operators see how many an aggregation has missed.
  events bigint not null default 0,
  -- Those that the last aggregation has included.
  aggregated_events bigint not null default 0,
  primary key (brand_id, day)
);

create index brand_days_dirty on analytics.brand_days (brand_id, day) where is_dirty;

-- The first day whose raw events were not dropped; no row: none were dropped. Earlier days cannot be aggregated again.
create table analytics.event_retention (
  is_only boolean primary key default true check (is_only),
  kept_since date not null
);

-- Datasets -----------------------------------------------------------------------------------------------------------
-- Primary keys are the orders in which the endpoints page. Rows hold sums and counts, never rates; sums of fractions are
-- numeric, so that subtracting a day leaves no remainder, and cumulative columns are updated by differences. cumulative_x is
-- the sum of x over the rows of the same key up to and including the day.

-- One row for each aggregated day of the brand (market_id 0), and one for each of its markets.
create table analytics.daily (
  brand_id integer not null,
  day date not null,
  market_id bigint not null,
  live_episodes bigint not null,
  live_programs bigint not null,
  live_quests bigint not null,
  live_products bigint not null,
  active_users bigint not null,
  views bigint not null,
  completions bigint not null,
  successes bigint not null,
  xp_earned bigint not null,
  time_spent_seconds bigint not null,
  episode_views bigint not null,
  episode_completions bigint not null,
  episode_successes bigint not null,
  episode_time_spent_seconds bigint not null,
  episode_progress_sum numeric not null,
  episode_progress_count bigint not null,
  episode_score_sum numeric not null,
  episode_score_count bigint not null,
  program_views bigint not null,
  program_completions bigint not null,
  program_successes bigint not null,
  program_time_spent_seconds bigint not null,
  program_progress_sum numeric not null,
  program_progress_count bigint not null,
  program_score_sum numeric not null,
  program_score_count bigint not null,
  quest_views bigint not null,
  quest_completions bigint not null,
  quest_successes bigint not null,
  quest_time_spent_seconds bigint not null,
  quest_progress_sum numeric not null,
  quest_progress_count bigint not null,
  quest_score_sum numeric not null,
  quest_score_count bigint not null,
  cumulative_views bigint not null,
  cumulative_completions bigint not null,
  cumulative_successes bigint not null,
  cumulative_xp_earned bigint not null,
  primary key (brand_id, day, market_id)
);

-- Lists the days of the brand or of one market.
create index daily_by_market on analytics.daily (brand_id, market_id, day);

-- One row for each content with activity that day, quests excepted.
create table analytics.contents (
  brand_id integer not null,
  content_ref_id bigint not null,
  day date not null,
  content_type text collate "C" not null,
  total_users bigint not null,
  views bigint not null,
  unique_views bigint not null,
  completions bigint not null,
  successes bigint not null,
  active_users bigint not null,
  xp_earned bigint not null,
  time_spent_seconds bigint not null,
  questions bigint not null,
  progress_sum numeric not null,
  progress_count bigint not null,
  score_sum numeric not null,
  score_count bigint not null,
  cumulative_views bigint not null,
  cumulative_completions bigint not null,
  cumulative_successes bigint not null,
  cumulative_progress_sum numeric not null,
  cumulative_progress_count bigint not null,
  cumulative_score_sum numeric not null,
  cumulative_score_count bigint not null,
  primary key (brand_id, content_ref_id, day)
);

-- Finds the rows of a day that is replaced.
create index contents_by_day on analytics.contents (brand_id, day);

-- One row for each learner with activity that day.
create table analytics.users (
  brand_id integer not null,
  user_id bigint not null,
  day date not null,
  views bigint not null,
  completions bigint not null,
  successes bigint not null,
  xp_earned bigint not null,
  time_spent_seconds bigint not null,
  score_sum numeric not null,
  score_count bigint not null,
  episode_views bigint not null,
  episode_completions bigint not null,
  episode_successes bigint not null,
  program_views bigint not null,
  program_completions bigint not null,
  program_successes bigint not null,
  quest_views bigint not null,
  quest_completions bigint not null,
  quest_successes bigint not null,
  cumulative_views bigint not null,
  cumulative_completions bigint not null,
  cumulative_successes bigint not null,
  cumulative_episode_views bigint not null,
  cumulative_episode_completions bigint not null,
  cumulative_episode_successes bigint not null,
  cumulative_program_views bigint not null,
  cumulative_program_completions bigint not null,
  cumulative_program_successes bigint not null,
  cumulative_quest_views bigint not null,
  cumulative_quest_completions bigint not null,
  cumulative_quest_successes bigint not null,
  primary key (brand_id, user_id, day)
);

create index users_by_day on analytics.users (brand_id, day);

-- One row for each learner and content with activity that day, quests excepted.
create table analytics.content_engagement (
  brand_id integer not null,
  content_ref_id bigint not null,
  day date not null,
  user_id bigint not null,
  content_type text collate "C" not null,
  views bigint not null,
  completions bigint not null,
  successes bigint not null,
  xp_earned bigint not null,
  time_spent_seconds bigint not null,
  questions bigint not null,
  answered bigint not null,
  score_sum numeric not null,
  score_count bigint not null,
  cumulative_views bigint not null,
  cumulative_xp_earned bigint not null,
  cumulative_time_spent_seconds bigint not null,
  cumulative_score_sum numeric not null,
  cumulative_score_count bigint not null,
  primary key (brand_id, content_ref_id, day, user_id)
);

create index content_engagement_by_day on analytics.content_engagement (brand_id, day);
-- Lists the rows of one learner, and finds the row before a day from which a running total continues.
create index content_engagement_by_user on analytics.content_engagement (brand_id, user_id, content_ref_id, day);

-- Keeps pages of completed rows quick where few are completed.
create index content_engagement_completed on analytics.content_engagement (brand_id, content_ref_id, day, user_id)
  where completions > 0;

-- The last change of each day of each dataset. Revisions of a brand's dataset ascend in the order of commits: all changes
-- since a revision are those with a greater one. Correcting the running totals of a day is a change.
create table analytics.dataset_revisions (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  revision bigint not null,
  refreshed_at timestamptz(3) not null,
  -- The last revision of each cause, 0: never. The day's revision is the greatest of them.
  -- The day's rows were replaced.
  aggregated_revision bigint not null default 0,
  -- Rows of learners were hidden, shown again or erased.
  exclusion_revision bigint not null default 0,
  -- Rows of contents or markets that the directory began or ceased to list.
  directory_revision bigint not null default 0,
  -- Only running totals were recomputed.
  corrected_revision bigint not null default 0,
  primary key (brand_id, dataset, day),
  constraint dataset_revisions_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement')),
  constraint dataset_revisions_causes check (
    revision >= greatest(aggregated_revision, exclusion_revision, directory_revision, corrected_revision)
  )
);

create index dataset_revisions_in_order on analytics.dataset_revisions (brand_id, dataset, revision);

-- The revision above which all datasets continue, also those without days: a restore raises it, since clients may have seen
-- revisions that the restored rows do not have. No row: nothing was restored.
create table analytics.revision_floor (
  is_only boolean primary key default true check (is_only),
  revision bigint not null
);

-- Why the figures of a day changed: its last ten revisions, the newest first. In a table of its own, since each read of a window
-- reads the rows of dataset_revisions. Days that were last revised by
-- version 0.2 have none.
create table analytics.day_histories (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  -- [{ revision, at (milliseconds since 1970), cause (null: not recorded), events, rows }]
  revisions jsonb not null,
  primary key (brand_id, dataset, day),
  constraint day_histories_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement')),
  constraint day_histories_bound check (jsonb_array_length(revisions) between 1 and 10)
) with (fillfactor = 80);

-- ClickHouse ---------------------------------------------------------------------------------------------------------
-- What a store whose events and rows are in ClickHouse keeps in PostgreSQL: which of its batches and generations count. All of
-- these tables are empty while events and rows are in PostgreSQL.

-- The ClickHouse database of this store; no row: there is none.
create table analytics.clickhouse_store (
  is_only boolean primary key default true check (is_only),
  -- Also in ClickHouse, so that another database is not taken for this one.
  store_id uuid not null,
  -- False while events and rows are being copied there. They are here until then.
  has_events boolean not null,
  -- Every batch below this number that ClickHouse has is committed.
  sealed_before bigint not null default 0
);

-- The committed batches of events from sealed_before on, once for each day of their events.
create table analytics.event_batches (
  brand_id integer not null,
  day date not null,
  batch bigint not null,
  primary key (brand_id, day, batch)
);

create index event_batches_in_order on analytics.event_batches (batch);

-- Each day of a dataset has one generation, whose rows readers see.
create table analytics.published_generations (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  generation bigint not null,
  primary key (brand_id, dataset, day),
  constraint published_generations_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement'))
);

create index published_generations_newest on analytics.published_generations (generation) where dataset = 'daily';

-- Rows that nobody reads, of all datasets, until they are deleted: of an aggregation that has begun, which deletes its row here
-- when it is published, or replaced by a later one.
create table analytics.unpublished_generations (
  brand_id integer not null,
  generation bigint not null,
  from_day date not null,
  to_day date not null,
  since timestamptz(3) not null,
  primary key (brand_id, generation, from_day)
);

create index unpublished_generations_by_age on analytics.unpublished_generations (since);

-- Erased learners whose rows ClickHouse still has. Readers do not see them.
create table analytics.hidden_learners (
  brand_id integer not null,
  user_id bigint not null,
  since timestamptz(3) not null,
  -- Its batches and generations below this number are hidden.
  before bigint not null,
  primary key (brand_id, user_id)
);
