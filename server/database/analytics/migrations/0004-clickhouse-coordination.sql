-- What a store whose events and rows are in ClickHouse keeps in PostgreSQL: which of its batches and layers count. All of these
-- tables are empty while events and rows are in PostgreSQL.

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

-- The rows of a day that readers see: those of the first generation, corrected by the later ones.
create table analytics.published_layers (
  brand_id integer not null,
  dataset text collate "C" not null,
  day date not null,
  -- Oldest first.
  generations bigint[] not null,
  primary key (brand_id, dataset, day),
  constraint published_layers_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement')),
  constraint published_layers_generations check (cardinality(generations) > 0)
);

-- Aggregations that have begun to write rows. One that is published deletes its row in the same transaction.
create table analytics.generation_attempts (
  brand_id integer not null,
  generation bigint not null,
  started_at timestamptz(3) not null,
  primary key (brand_id, generation)
);

-- Rows that are no longer published, until they are deleted. Pages that began before may still read them.
create table analytics.stale_layers (
  brand_id integer not null,
  generation bigint not null,
  dataset text collate "C" not null,
  day date not null,
  since timestamptz(3) not null,
  primary key (brand_id, generation, dataset, day)
);

create index stale_layers_by_age on analytics.stale_layers (since);

-- Erased learners whose rows ClickHouse still has. Readers do not see them.
create table analytics.hidden_learners (
  brand_id integer not null,
  user_id bigint not null,
  since timestamptz(3) not null,
  primary key (brand_id, user_id)
);
