-- The four datasets, made of the raw events by the aggregation. Primary keys are the orders in which the endpoints walk
-- them. Rows hold sums and counts, never rates: sums of fractions are numeric, so that a day can be taken away again
-- without a rest, and cumulative columns are moved by differences. Each cumulative_x is the sum of x over the rows of
-- the same key up to and including the day.

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

-- The days of the brand, or of one market.
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

-- Replacing a day finds its rows here.
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
-- The rows of one learner, and the row before a day from which a cumulative figure goes on.
create index content_engagement_by_user on analytics.content_engagement (brand_id, user_id, content_ref_id, day);

-- Pages of completed rows stay as quick where few are.
create index content_engagement_completed on analytics.content_engagement (brand_id, content_ref_id, day, user_id)
  where completions > 0;

-- Which day of which dataset changed last. Revisions of a brand's dataset ascend in the order of commits: who has seen
-- one finds all that changed since by asking for greater ones. A day whose cumulative figures were corrected has changed.
create table analytics.dataset_revisions (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  revision bigint not null,
  refreshed_at timestamptz(3) not null,
  primary key (brand_id, dataset, day),
  constraint dataset_revisions_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement'))
);

create index dataset_revisions_in_order on analytics.dataset_revisions (brand_id, dataset, revision);
