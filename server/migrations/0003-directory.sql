-- What the platform knows of a brand outside of its catalog: markets, points of sale, learners, contents. No personal
-- attribute of a learner is stored anywhere: an id, a market, and whether analytics may count the learner.

create table markets (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  name text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint markets_tu_id_unique unique (brand_id, tu_id),
  constraint markets_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint markets_name_length check (char_length(name) between 1 and 255)
);

create table points_of_sale (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  name text,
  -- The stock location that it is attached to.
  location_id bigint,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint points_of_sale_tu_id_unique unique (brand_id, tu_id),
  constraint points_of_sale_location_unique unique (brand_id, location_id),
  constraint points_of_sale_location foreign key (brand_id, location_id) references stock_locations (brand_id, id),
  constraint points_of_sale_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint points_of_sale_name_length check (char_length(name) between 1 and 255)
);

create table learners (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  market_id bigint,
  analytics_opt_out boolean not null default false,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint learners_tu_id_unique unique (brand_id, tu_id),
  constraint learners_market foreign key (brand_id, market_id) references markets (brand_id, id),
  constraint learners_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$')
);

create index learners_opted_out on learners (brand_id, id) where analytics_opt_out;
create index learners_by_market on learners (brand_id, market_id);

-- Every content that the directory or an event has named. One that is only named by events, or was deleted from the
-- directory, is not listed: it is an orphaned reference, which keeps its id.
create table contents (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  type text collate "C" not null,
  tu_id text collate "C" not null,
  name text,
  is_live boolean not null default true,
  is_listed boolean not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint contents_reference_unique unique (brand_id, type, tu_id),
  constraint contents_type_form check (type ~ '^[a-z_]{1,32}$'),
  constraint contents_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint contents_name_length check (char_length(name) between 1 and 255)
);
