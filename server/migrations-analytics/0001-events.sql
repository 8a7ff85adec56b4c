-- Raw learning events. Ids of learners, contents and markets are those of the main database's directory; there are no
-- foreign keys to it, because this schema may be in another database.

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

-- Where an event goes whose month has no partition yet, so that none is ever refused for its date.
create table analytics.learning_events_default partition of analytics.learning_events default;

-- event_id is unique per brand whatever the day: a partitioned table cannot say so itself.
create table analytics.event_claims (
  brand_id integer not null,
  event_id text collate "C" not null,
  day date not null,
  primary key (brand_id, event_id)
);

create index event_claims_by_day on analytics.event_claims (day);

-- What is known of each day of a brand. A day that has events and was never aggregated is here with aggregated_at null.
create table analytics.brand_days (
  brand_id integer not null,
  day date not null,
  aggregated_at timestamptz(3),
  -- Moved by every transaction that adds events of the day. A figure and not a flag: an aggregation notes the one that
  -- it has seen, so that what arrives while it runs leaves the day dirty, and neither waits for the other.
  changes bigint not null default 0,
  aggregated_changes bigint not null default 0,
  is_dirty boolean not null generated always as (changes > aggregated_changes) stored,
  -- Rows of each dataset at the last aggregation.
  row_counts jsonb not null default '{}',
  primary key (brand_id, day)
);

create index brand_days_dirty on analytics.brand_days (brand_id, day) where is_dirty;
