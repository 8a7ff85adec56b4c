-- The main database: brands, access, catalog, stock, feeds, directory, operation. Each table has its constraints and
-- indexes next to it. Views are in ../views, functions and triggers in ../routines. Jobs are pg-boss's, in the schema pgboss.
--
-- brand_id leads every key and index of a table that belongs to a brand: no query spans brands, and the tables can be
-- split by brand. Timestamps have milliseconds, the precision that the API returns.

-- The current time as the API returns it, in milliseconds. Unlike now() it moves within a transaction. Part of the schema and not
-- of the routines, because column defaults call it; PostgreSQL inlines it.
create function now_ms() returns timestamptz language sql volatile parallel safe
return date_trunc('milliseconds', clock_timestamp());

-- Brands ------------------------------------------------------------------------------------------------------------

create table brands (
  id integer generated always as identity primary key,
  name text not null,
  currency text not null default 'EUR',
  default_language text not null default 'en',
  low_stock_threshold integer not null default 5,
  -- null: levels never become stale.
  stale_after_hours integer,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  -- Of version 0.2, which nothing reads or writes.
  closed_at timestamptz(3),
  exported_at timestamptz(3),
  -- Own rate limits, in place of the configured ones: {"limits": {bucket: requests a minute}, "until": time or null}; null: none.
  -- In the row that authentication reads, so that a change holds from the next request on [D251].
  own_limits jsonb,
  constraint brands_name_length check (char_length(name) between 1 and 255),
  constraint brands_currency_form check (currency ~ '^[A-Z]{3}$'),
  constraint brands_low_stock_threshold_range check (low_stock_threshold >= 0),
  constraint brands_stale_after_hours_range check (stale_after_hours > 0),
  constraint brands_exported_when_closed check (exported_at is null or closed_at is not null),
  constraint brands_own_limits check (jsonb_typeof(own_limits -> 'limits') = 'object')
);

-- Access ------------------------------------------------------------------------------------------------------------

create table api_keys (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  key_id text not null,
  -- The id of the first key of the lineage: rotations and replacements share its idempotency records [platform-67].
  lineage_id bigint not null,
  secret_sha256 bytea not null,
  name text not null,
  scopes text[] not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  rotated_from_key_id text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now_ms(),
  -- The key that this one replaces while both work [internal-24]. Neither this nor rotated_from_key_id is a foreign key,
  -- because the older key may be deleted.
  replaces_key_id text,
  last_used_from inet,
  -- Of version 0.2, which nothing reads or writes.
  brand_is_closed boolean not null default false,
  last_refused_at timestamptz(3),
  last_refused_code text,
  -- As in brands.
  own_limits jsonb,
  primary key (brand_id, id),
  -- Unique without the brand, too: a request names its key before the brand is known.
  constraint api_keys_key_id_unique unique (key_id),
  constraint api_keys_key_id_form check (key_id ~ '^tuk_[0-9a-f]{24}$'),
  constraint api_keys_secret_length check (octet_length(secret_sha256) = 32),
  constraint api_keys_has_scopes check (cardinality(scopes) > 0),
  -- A key continues a lineage by a rotation or by a replacement, not by both.
  constraint api_keys_one_predecessor check (replaces_key_id is null or rotated_from_key_id is null),
  constraint api_keys_own_limits check (jsonb_typeof(own_limits -> 'limits') = 'object')
);

-- A key is rotated once at most.
create unique index api_keys_one_successor on api_keys (brand_id, rotated_from_key_id)
  where rotated_from_key_id is not null;
-- Counts the keys that expire soon, for the metrics.
create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null and expires_at is not null;
-- Finds the keys of a lineage.
create index api_keys_by_lineage on api_keys (brand_id, lineage_id);

create table feed_tokens (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  token_sha256 bytea not null,
  -- The last four characters, so that an operator can tell tokens apart.
  hint text not null,
  name text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now_ms(),
  last_used_from inet,
  -- As in api_keys.
  brand_is_closed boolean not null default false,
  primary key (brand_id, id),
  constraint feed_tokens_id_unique unique (id),
  constraint feed_tokens_token_unique unique (token_sha256),
  constraint feed_tokens_token_length check (octet_length(token_sha256) = 32)
);

-- One row for each administrative change.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now_ms(),
  action text not null,
  brand_id integer references brands (id),
  resource_type text not null,
  resource_id text not null,
  -- The change itself, never a secret.
  details jsonb not null default '{}',
  actor text,
  address inet,
  request_id text,
  -- The name of the actor at that time; `actor` is an id.
  actor_name text
);

create index audit_entries_by_brand on audit_entries (brand_id, id);
create index audit_entries_by_action on audit_entries (action, id);
-- A request is looked up by its id alone.
create index audit_entries_by_request on audit_entries (request_id) where request_id is not null;
create index audit_entries_by_age on audit_entries (at);
-- Find the changes of one resource, and those of one actor, newest first.
create index audit_entries_by_resource on audit_entries (resource_id, id);
create index audit_entries_by_actor on audit_entries (actor, id);
create index audit_entries_by_actor_name on audit_entries (lower(actor_name collate "und-x-icu"), id)
  where actor_name is not null;

-- One row for each successful write with an Idempotency-Key, committed with the write. brand_id has no foreign key: every
-- write of a brand would share-lock its one row of brands. The brand comes from the authenticated API key.
create table idempotency_records (
  brand_id integer not null,
  lineage_id bigint not null,
  idempotency_key text not null,
  -- SHA-256 of method, path and the exact bytes of the body.
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(3) not null default now_ms(),
  -- The origin of the write.
  method text,
  path text,
  key_id text,
  request_id text,
  primary key (brand_id, lineage_id, idempotency_key),
  constraint idempotency_records_success_only check (status between 200 and 299),
  constraint idempotency_records_key_length check (char_length(idempotency_key) between 1 and 191)
);

create index idempotency_records_by_age on idempotency_records (created_at);
create index idempotency_records_by_request on idempotency_records (request_id) where request_id is not null;

-- Requests by key, operation and hour, added up by each process every few seconds. No foreign key to api_keys: the counts of a
-- deleted key stay until retention drops them, and a process may write counts of a key that was just deleted.
create table api_key_usage (
  brand_id integer not null references brands (id),
  -- The start of the hour.
  hour timestamptz(3) not null,
  key_id text collate "C" not null,
  -- The operationId.
  operation text collate "C" not null,
  -- The scope by which the key may call the operation, or the one that it lacks; null: any valid key may.
  scope text,
  requests bigint not null,
  -- Rejected with 429.
  denied bigint not null,
  -- Rejected with any other 4xx.
  refused bigint not null,
  -- Failed with 5xx.
  failed bigint not null,
  primary key (brand_id, hour, key_id, operation),
  constraint api_key_usage_whole_hour check (mod(extract(epoch from hour), 3600) = 0),
  constraint api_key_usage_counts check (
    denied >= 0 and refused >= 0 and failed >= 0 and requests > 0 and requests >= denied + refused + failed
  )
) with (fillfactor = 80);
create index api_key_usage_by_hour on api_key_usage (hour);
-- Finds the counts with denials. A count without any is still updated in place: the predicate does not change.
create index api_key_usage_denied on api_key_usage (hour) where denied > 0;

-- Requests of keys that were refused or failed: at most 10,000 of a brand, which number them from 1 [D250]. No foreign key to
-- api_keys, as in api_key_usage.
create table refusals (
  brand_id integer not null references brands (id),
  id bigint not null,
  at timestamptz(3) not null,
  request_id text collate "C" not null,
  key_id text collate "C" not null,
  -- The operationId; null: the path has none.
  operation text collate "C",
  method text not null,
  -- As sent, without the query.
  path text not null,
  status smallint not null,
  code text collate "C" not null,
  -- Why the key was refused with 401.
  reason text,
  -- The names of the fields at fault.
  fields text[] not null,
  address inet,
  -- The requests that this row counts; the other columns are those of the first.
  count integer not null,
  -- The minute of rows that count several requests.
  minute timestamptz(3),
  -- What the response said: the message, the messages of fields by name, and the scopes of which the key has none. Rows of
  -- version 0.2 have none of it.
  message text,
  errors jsonb,
  required_scopes text[],
  primary key (brand_id, id),
  constraint refusals_status check (status between 400 and 599),
  constraint refusals_reason check (reason in ('revoked', 'expired', 'deleted', 'wrong_secret')),
  constraint refusals_count check (count > 0)
) with (fillfactor = 90);
create unique index refusals_merged on refusals (brand_id, key_id, code, minute) where minute is not null;
create index refusals_by_time on refusals (brand_id, at, id);
create index refusals_by_key on refusals (brand_id, key_id, at, id);
create index refusals_by_request on refusals (request_id);
create index refusals_by_age on refusals (at);

-- Refused requests whose key was not verified, which are of no brand: one row for each minute, network and reason.
create table unverified_refusals (
  minute timestamptz(3) not null,
  -- An IPv4 address, the /64 of an IPv6 address, or 'others'.
  network text collate "C" not null,
  reason text collate "C" not null,
  count integer not null,
  primary key (minute, network, reason),
  constraint unverified_refusals_count check (count > 0)
);

-- The admitted requests of each minute, by limit, which tell whether a new limit is below what was used. One row for an hour, of
-- the last eight days. The key '' has the requests of all keys and feed tokens of the brand.
create table request_minutes (
  brand_id integer not null,
  key_id text collate "C" not null,
  hour timestamptz(3) not null,
  bucket text collate "C" not null,
  -- By minute of the hour.
  requests integer[] not null,
  constraint request_minutes_pkey primary key (brand_id, key_id, hour, bucket),
  constraint request_minutes_brand_id_fkey foreign key (brand_id) references brands (id),
  constraint request_minutes_whole_hour check (mod(extract(epoch from hour), 3600) = 0),
  constraint request_minutes_sixty check (cardinality(requests) = 60)
) with (fillfactor = 80);
create index request_minutes_by_age on request_minutes (hour);

-- People and programs with a token of their own for the internal surface.
create table administrators (
  id bigint generated always as identity primary key,
  -- The public part of the token, `bpa_<24 hex>`.
  token_id text collate "C" not null unique,
  secret_sha256 bytea not null,
  name text not null,
  role text not null,
  -- Null: all brands. Not a table of its own: brands are never deleted, and every request reads the list.
  brand_ids integer[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_from inet,
  created_at timestamptz(3) not null default now_ms(),
  constraint administrators_token_id check (token_id ~ '^bpa_[0-9a-f]{24}$'),
  constraint administrators_digest check (octet_length(secret_sha256) = 32),
  constraint administrators_role check (role in ('administrator', 'operator', 'support')),
  constraint administrators_brands check (
    case role when 'administrator' then brand_ids is null when 'operator' then cardinality(brand_ids) > 0 else true end
  )
);

-- Sessions of browsers on the internal surface.
create table console_sessions (
  id bigint generated always as identity primary key,
  -- Of the cookie, which is never stored.
  token_sha256 bytea not null unique,
  -- As in the audit.
  actor text not null,
  actor_name text,
  -- A session ends with the administrator who began it. Null: the admin token.
  administrator_id bigint references administrators (id) on delete cascade,
  role text not null,
  -- Null: all brands.
  brand_ids integer[],
  -- The client's address when it signed in.
  address inet,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- The absolute end.
  expires_at timestamptz(3) not null,
  constraint console_sessions_digest check (octet_length(token_sha256) = 32),
  constraint console_sessions_role check (role in ('administrator', 'operator', 'support')),
  constraint console_sessions_brands check (
    case role when 'administrator' then brand_ids is null when 'operator' then cardinality(brand_ids) > 0 else true end
  ),
  constraint console_sessions_times check (created_at <= last_seen_at and created_at < expires_at)
);
create index console_sessions_by_end on console_sessions (expires_at);
create index console_sessions_by_administrator on console_sessions (administrator_id);

-- Single sign-ons that a browser has begun at the identity provider and not finished.
create table console_sign_ins (
  -- Of the random value that comes back with the browser; it can be used once.
  state_sha256 bytea primary key,
  -- Of the cookie of the browser that began it.
  browser_sha256 bytea not null,
  -- The place in the console to show afterwards.
  return_to text not null,
  expires_at timestamptz(3) not null,
  constraint console_sign_ins_digests check (octet_length(state_sha256) = 32 and octet_length(browser_sha256) = 32),
  constraint console_sign_ins_return_to check (length(return_to) <= 2000)
);
create index console_sign_ins_by_end on console_sign_ins (expires_at);

-- Catalog -----------------------------------------------------------------------------------------------------------

-- One row for each brand. Every change of a product locks it to the commit, which orders the changes of a brand; list
-- totals are read from its counters.
create table brand_catalogs (
  brand_id integer primary key references brands (id),
  version bigint not null,
  changed_at timestamptz(3) not null,
  products_total bigint not null default 0,
  products_active bigint not null default 0,
  products_with_variants bigint not null default 0,
  products_active_with_variants bigint not null default 0,
  -- Rises with every change of an axis or axis value, whose labels products show. Starts at the clock, so that a row that was
  -- lost and that the doctor recreated does not repeat earlier numbers.
  axes_version bigint not null default extract(epoch from clock_timestamp()) * 1000,
  constraint brand_catalogs_counters check (
    products_active between 0 and products_total
    and products_with_variants between 0 and products_total
    and products_active_with_variants between 0 and least(products_active, products_with_variants)
  )
);

-- Every SKU of a brand, of products and variants alike. A deleted variant keeps its SKU. collate "C": SKUs compare byte by
-- byte, independent of the database's locale.
create table sku_claims (
  brand_id integer not null references brands (id),
  sku text collate "C" not null,
  kind text not null,
  tu_id text not null,
  primary key (brand_id, sku),
  constraint sku_claims_kind check (kind in ('product', 'variant')),
  constraint sku_claims_sku_length check (char_length(sku) between 1 and 191)
);

-- brand_id has no foreign key to brands: the claim of the SKU has it.
create table products (
  brand_id integer not null,
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  sku text collate "C" not null,
  type text not null,
  title text not null,
  short_description text,
  default_language text not null,
  -- Language tag -> { title, short_description }.
  versions jsonb not null,
  price_value numeric(15, 4) not null,
  price_currency text not null,
  tax_class text not null,
  is_active boolean not null,
  -- Rollup: whether the product has at least one live variant.
  has_variants boolean not null default false,
  created_at timestamptz(3) not null,
  -- Ascends in the order of commits within a brand (brand_catalogs.changed_at).
  updated_at timestamptz(3) not null,
  -- Rollup of the variants, changed with them under the brand's catalog lock; view product_variant_truth defines it.
  live_variants integer not null default 0,
  active_variants integer not null default 0,
  -- Active variants without a price of their own.
  inheriting_variants integer not null default 0,
  -- Over the active variants that have a price of their own.
  own_price_min numeric(15, 4),
  own_price_max numeric(15, 4),
  primary key (brand_id, id),
  constraint products_tu_id_unique unique (brand_id, tu_id),
  constraint products_sku_unique unique (brand_id, sku),
  constraint products_sku_claimed foreign key (brand_id, sku) references sku_claims (brand_id, sku),
  constraint products_type check (type in ('simple')),
  constraint products_title_length check (char_length(title) between 1 and 255),
  constraint products_short_description_length check (char_length(short_description) <= 5000),
  constraint products_price_range check (price_value >= 0),
  constraint products_currency_form check (price_currency ~ '^[A-Z]{3}$'),
  constraint products_tax_class_length check (char_length(tax_class) between 1 and 64),
  constraint products_variant_rollup check (
    0 <= inheriting_variants and inheriting_variants <= active_variants and active_variants <= live_variants
    and has_variants = (live_variants > 0)
  )
);

-- The orders of the product list. The order by sku uses the unique constraint's index.
create index products_by_updated_at on products (brand_id, updated_at, id);
create index products_by_created_at on products (brand_id, created_at, id);
-- The order by updated_at under a filter. Without these a page was searched among all products: 270 ms, and 3.8 s with a cold
-- cache, where the newest 900,000 of a million have no variants.
create index products_by_activity on products (brand_id, is_active, updated_at, id);
create index products_by_kind on products (brand_id, has_variants, updated_at, id);

create table axes (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  code text collate "C" not null,
  label text,
  position integer not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id),
  constraint axes_code_unique unique (brand_id, code),
  constraint axes_code_form check (code ~ '^[a-zA-Z0-9._-]{1,64}$'),
  constraint axes_label_length check (char_length(label) between 1 and 255)
);

-- For this table and the next ones: no index that finds one row by id or value may start with the same two columns as one
-- that finds all rows of an axis. On a table without statistics both cost the same to the planner [D76].
create table axis_values (
  brand_id integer not null references brands (id),
  axis_id bigint not null,
  id bigint generated always as identity,
  value text collate "C" not null,
  label text,
  position integer not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, axis_id, id),
  constraint axis_values_value_unique unique (brand_id, value, axis_id),
  constraint axis_values_of_axis foreign key (brand_id, axis_id) references axes (brand_id, id) on delete cascade,
  constraint axis_values_value_form check (value ~ '^[a-zA-Z0-9._-]{1,64}$'),
  constraint axis_values_label_length check (char_length(label) between 1 and 255)
);

-- The axes that a product has selected. A selected axis or value cannot be deleted.
create table product_axes (
  brand_id integer not null,
  product_id bigint not null,
  axis_id bigint not null,
  position integer not null,
  primary key (brand_id, product_id, axis_id),
  constraint product_axes_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint product_axes_axis foreign key (brand_id, axis_id) references axes (brand_id, id)
);

create index product_axes_by_axis on product_axes (brand_id, axis_id, product_id);

create table product_axis_values (
  brand_id integer not null,
  product_id bigint not null,
  axis_id bigint not null,
  value_id bigint not null,
  primary key (brand_id, product_id, axis_id, value_id),
  constraint product_axis_values_of_axis foreign key (brand_id, product_id, axis_id)
    references product_axes (brand_id, product_id, axis_id) on delete cascade,
  constraint product_axis_values_value foreign key (brand_id, axis_id, value_id)
    references axis_values (brand_id, axis_id, id)
);

create index product_axis_values_by_value on product_axis_values (brand_id, value_id, axis_id, product_id);

create table variants (
  brand_id integer not null,
  id bigint generated always as identity,
  product_id bigint not null,
  tu_id text collate "C" not null,
  sku text collate "C" not null,
  barcode text,
  -- The values of the combination, as "axis id:value id" in ascending order of axis id, separated by commas.
  combination text collate "C" not null,
  -- null: the product's price.
  price_value numeric(15, 4),
  position integer not null,
  is_active boolean not null default false,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (brand_id, id),
  constraint variants_tu_id_unique unique (brand_id, tu_id),
  constraint variants_sku_unique unique (brand_id, sku),
  constraint variants_sku_claimed foreign key (brand_id, sku) references sku_claims (brand_id, sku),
  constraint variants_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint variants_price_range check (price_value >= 0),
  constraint variants_barcode_length check (char_length(barcode) between 1 and 64)
);

-- A deleted variant frees its combination. By digest, because an index entry is limited in size and a product may select any
-- number of axes.
create unique index variants_combination_unique on variants (brand_id, product_id, sha256(combination::bytea))
  where deleted_at is null;
-- The order of the variant list.
create index variants_in_order on variants (brand_id, product_id, position, id) where deleted_at is null;

-- The values of live variants. Deleting a variant deletes its rows here, which frees values and axes.
create table variant_axis_values (
  brand_id integer not null,
  variant_id bigint not null,
  axis_id bigint not null,
  value_id bigint not null,
  primary key (brand_id, variant_id, axis_id),
  constraint variant_axis_values_of_variant foreign key (brand_id, variant_id) references variants (brand_id, id),
  constraint variant_axis_values_value foreign key (brand_id, axis_id, value_id)
    references axis_values (brand_id, axis_id, id)
);

create index variant_axis_values_by_value on variant_axis_values (brand_id, value_id, axis_id);

-- Stock -------------------------------------------------------------------------------------------------------------

create table stock_locations (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  external_code text collate "C" not null,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id),
  constraint stock_locations_code_unique unique (brand_id, external_code),
  constraint stock_locations_code_form check (external_code ~ '^[A-Za-z0-9._~-]{1,64}$'),
  constraint stock_locations_name_length check (char_length(name) between 1 and 255)
);

-- The stock of a product (variant_id null) or of a variant at one location. Levels are never deleted.
create table stock_levels (
  brand_id integer not null,
  id bigint generated always as identity,
  product_id bigint not null,
  variant_id bigint,
  location_id bigint not null,
  -- Copies for the order of the level list. sku follows a rename; location_code never changes.
  sku text collate "C" not null,
  location_code text collate "C" not null,
  -- The variant is deleted: the level keeps its quantity and ledger but is not listed.
  is_hidden boolean not null default false,
  quantity integer not null,
  reserved integer not null default 0,
  source_updated_at timestamptz(3) not null,
  -- Whether a feed wrote it last; only such a level can become stale.
  is_from_feed boolean not null,
  updated_at timestamptz(3) not null default now_ms(),
  -- The three digits after the millisecond of source_updated_at [D289].
  source_micros smallint not null default 0,
  primary key (brand_id, id),
  constraint stock_levels_place_unique unique nulls not distinct (brand_id, product_id, variant_id, location_id),
  constraint stock_levels_of_product foreign key (brand_id, product_id) references products (brand_id, id),
  constraint stock_levels_of_variant foreign key (brand_id, variant_id) references variants (brand_id, id),
  constraint stock_levels_location foreign key (brand_id, location_id) references stock_locations (brand_id, id),
  constraint stock_levels_quantity_range check (quantity >= 0),
  constraint stock_levels_reserved_range check (reserved >= 0),
  constraint stock_levels_micros_range check (source_micros between 0 and 999)
)
-- Space in each page for the new version of a row, so that a change of quantity updates no index.
with (fillfactor = 85);

create index stock_levels_in_order on stock_levels (brand_id, sku, location_code) where not is_hidden;
create index stock_levels_by_location on stock_levels (brand_id, location_code, sku) where not is_hidden;

-- The ledger: every change of a level's quantity, written in the transaction of the change.
create table stock_movements (
  brand_id integer not null,
  id bigint generated always as identity,
  level_id bigint not null,
  product_id bigint not null,
  variant_id bigint,
  -- At the time of the movement.
  sku text collate "C" not null,
  location_code text collate "C" not null,
  quantity_before integer not null,
  quantity_after integer not null,
  delta integer not null generated always as (quantity_after - quantity_before) stored,
  reason text not null,
  note text not null,
  created_at timestamptz(3) not null default now_ms(),
  -- The origin: the key and the request, or the line of a feed, which names key and request. No foreign keys: an origin
  -- outlives the key that it names, and the check of one would cost each line of a feed a look-up.
  key_id text,
  request_id text,
  feed_id bigint,
  feed_line integer,
  primary key (brand_id, id),
  constraint stock_movements_level foreign key (brand_id, level_id) references stock_levels (brand_id, id),
  constraint stock_movements_reason check (reason in ('manual', 'feed')),
  constraint stock_movements_moves check (quantity_before <> quantity_after),
  constraint stock_movements_note_length check (char_length(note) between 1 and 255),
  constraint stock_movements_origin check (
    (feed_id is null) = (feed_line is null) and (feed_id is null or (reason = 'feed' and key_id is null and request_id is null))
  )
);

create index stock_movements_by_product on stock_movements (brand_id, product_id, id);
create index stock_movements_by_level on stock_movements (brand_id, level_id, id);
create index stock_movements_by_request on stock_movements (request_id) where request_id is not null;

-- Rollup of the levels of a product; view product_stock_truth defines it. A transaction that changes a level, or that changes
-- whether levels count (is_active or deletion of a variant, is_active of a location), first locks the rows of the products
-- concerned in ascending order of product_id and updates them before it commits.
create table product_stock (
  brand_id integer not null,
  product_id bigint not null,
  -- Over all levels of the product and its live variants.
  total_quantity bigint not null default 0,
  total_reserved bigint not null default 0,
  -- Over the product's own levels: number, number at active locations, and of those the available quantity and the latest
  -- source_updated_at (infinity where the last write of one was not a feed's: it never becomes stale).
  own_levels integer not null default 0,
  own_counted_levels integer not null default 0,
  own_available bigint not null default 0,
  own_fresh_at timestamptz(3),
  -- The same over the levels of active live variants.
  variant_levels integer not null default 0,
  variant_counted_levels integer not null default 0,
  variant_available bigint not null default 0,
  variant_fresh_at timestamptz(3),
  primary key (brand_id, product_id),
  constraint product_stock_of_product foreign key (brand_id, product_id) references products (brand_id, id)
) with (fillfactor = 80);

-- One row of each brand, from its start, is the lock of its stock, counts its changes and keeps their last stamp [D217].
create table brand_stocks (
  brand_id integer primary key references brands,
  version bigint not null,
  changed_at timestamptz(3) not null,
  constraint brand_stocks_version_range check (version >= 0)
)
-- Space in each page for a new version of every row: an increment updates no index and needs no vacuum.
with (fillfactor = 25);

-- The levels that each transaction changed, in the order of the commits [catalog-120].
create table stock_changes (
  brand_id integer not null references brands,
  version bigint not null,
  changed_at timestamptz(3) not null,
  level_ids bigint[] not null,
  primary key (brand_id, version)
);
create index stock_changes_by_age on stock_changes (changed_at);

-- Feeds -------------------------------------------------------------------------------------------------------------

create table stock_feeds (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  -- The Idempotency-Key of the submission.
  batch_id text collate "C" not null,
  -- Digest of the lines' content, which tells a replay with other lines.
  lines_sha256 bytea not null,
  source text not null,
  status text not null default 'queued',
  received_lines integer not null,
  -- Every line before this one has its result.
  next_line integer not null default 0,
  -- Result -> number of lines with it so far.
  totals jsonb not null default '{}',
  -- The reason of a failed feed.
  message text,
  -- Chunks in a row that were rolled back; too many fail the feed.
  failed_attempts integer not null default 0,
  -- The timestamp of lines that have none of their own.
  received_at timestamptz(3) not null,
  -- The last commit of a worker.
  worked_at timestamptz(3),
  finished_at timestamptz(3),
  -- Large feeds are applied in the order of SKUs, and their lines are numbered in that order. This array holds those numbers in
  -- the order of the request, which the report uses; null: the numbers are already in that order.
  -- external: unordered numbers do not compress, and trying to would cost more than the bytes.
  report_order integer[] storage external,
  -- The origin of the submission.
  submitted_by text,
  request_id text,
  -- The lines of a finished feed are dropped together; the feed, its batch id and its totals stay.
  lines_dropped_at timestamptz(3),
  primary key (brand_id, id),
  constraint stock_feeds_tu_id_unique unique (brand_id, tu_id),
  constraint stock_feeds_batch_unique unique (brand_id, batch_id),
  constraint stock_feeds_status check (status in ('queued', 'processing', 'completed', 'failed')),
  constraint stock_feeds_ends check ((status in ('completed', 'failed')) = (finished_at is not null)),
  constraint stock_feeds_lines_range check (received_lines between 1 and 100000),
  constraint stock_feeds_next_line_range check (next_line between 0 and received_lines),
  constraint stock_feeds_dropped_when_finished check (lines_dropped_at is null or finished_at is not null)
);

create index stock_feeds_unfinished on stock_feeds (brand_id, id) where finished_at is null;
create index stock_feeds_by_request on stock_feeds (request_id) where request_id is not null;
-- Finds the feeds whose lines are due, of all brands, the oldest first.
create index stock_feeds_with_lines on stock_feeds (finished_at) where finished_at is not null and lines_dropped_at is null;
-- Finds what failed lately without reading all that was finished.
create index stock_feeds_failed on stock_feeds (finished_at) where status = 'failed';
-- Feeds with lines that somebody has to act on, which are few: by brand, and those that ended lately.
create index stock_feeds_refused on stock_feeds (brand_id, id)
  where totals ?| array['unknown_sku', 'unknown_location', 'not_stockable'];
create index stock_feeds_refused_by_end on stock_feeds (finished_at)
  where totals ?| array['unknown_sku', 'unknown_location', 'not_stockable'];

-- The lines of feeds, a thousand to a row: position i of each array is the line `first_line` + i, numbered from 0 [D220].
-- `results` has a letter for each line (../views/stock-feed-lines.sql), "." while it is undecided. It stays in the row, because
-- it is rewritten with every chunk; the arrays never change, and are stored apart. A null `sku` is a line that is missing.
create table stock_feed_packs (
  brand_id integer not null,
  feed_id bigint not null,
  first_line integer not null,
  skus text[] collate "C" not null,
  location_codes text[] collate "C" not null,
  quantities integer[] not null,
  reserved integer[] not null,
  updated_ats timestamptz(3)[] not null,
  results text collate "C" not null,
  -- The three digits after the millisecond of updated_ats [D289]; null: no line of the pack has such digits.
  updated_micros smallint[],
  constraint stock_feed_packs_pkey primary key (brand_id, feed_id, first_line),
  constraint stock_feed_packs_of_feed foreign key (brand_id, feed_id) references stock_feeds (brand_id, id),
  constraint stock_feed_packs_place check (first_line >= 0 and first_line % 1000 = 0),
  constraint stock_feed_packs_results check (results ~ '^[.auskpln]+$' and length(results) <= 1000),
  constraint stock_feed_packs_lengths check (
    cardinality(skus) = length(results) and cardinality(location_codes) = length(results)
    and cardinality(quantities) = length(results) and cardinality(reserved) = length(results)
    and cardinality(updated_ats) = length(results)
  ),
  constraint stock_feed_packs_micros check (cardinality(updated_micros) = length(results))
) with (fillfactor = 80, toast_tuple_target = 128);
alter table stock_feed_packs alter column results set storage main;

-- The lines of feeds that were refused in favour of a newer quantity (`stale`, `superseded`), by SKU and location, to explain a
-- level. No foreign key to the feed, which would slow every line; rows are deleted with the lines.
create table refused_feed_lines (
  brand_id integer not null,
  sku text collate "C" not null,
  location_code text collate "C" not null,
  feed_id bigint not null,
  line integer not null,
  result text not null,
  refused_at timestamptz(3) not null,
  constraint refused_feed_lines_pkey primary key (brand_id, sku, location_code, feed_id, line),
  constraint refused_feed_lines_brand_id_fkey foreign key (brand_id) references brands (id),
  constraint refused_feed_lines_result check (result = any (array['stale', 'superseded']))
);
create index refused_feed_lines_by_feed on refused_feed_lines (brand_id, feed_id);

-- The refused lines of feeds that no later line has replaced: one for each SKU and location, which is what operators have to act
-- on. No foreign key to the feed, which would slow every line; rows are deleted with the lines.
create table open_feed_lines (
  brand_id integer not null,
  sku text collate "C" not null,
  location_code text collate "C" not null,
  -- The last feed that was refused, and its line as stored.
  feed_id bigint not null,
  line integer not null,
  -- The newest time of the refused lines, to the microsecond: an older line does not replace them.
  updated_at timestamptz(6) not null,
  constraint open_feed_lines_pkey primary key (brand_id, sku, location_code),
  constraint open_feed_lines_brand_id_fkey foreign key (brand_id) references brands (id)
);
create index open_feed_lines_by_feed on open_feed_lines (brand_id, feed_id);

-- Directory ---------------------------------------------------------------------------------------------------------
-- Markets, points of sale, learners and contents of a brand. A learner is an id, a market and whether analytics may count
-- the learner; no personal attribute is stored anywhere.

create table markets (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  tu_id text collate "C" not null,
  name text,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
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
  -- The stock location that belongs to it.
  location_id bigint,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
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
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id),
  constraint learners_tu_id_unique unique (brand_id, tu_id),
  constraint learners_market foreign key (brand_id, market_id) references markets (brand_id, id),
  constraint learners_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$')
);

create index learners_opted_out on learners (brand_id, id) where analytics_opt_out;
create index learners_by_market on learners (brand_id, market_id);

-- Learners who opted back in to analytics and whose days are not marked in the analytics store yet. The store may be another
-- database, or unavailable: a row commits with the opt-in and is deleted once the store has the marks. The trigger
-- learners_note_return writes it.
create table learner_returns (
  brand_id integer not null,
  -- A new id for each opt-in: deleting an earlier one must not delete a later one.
  id bigint generated always as identity,
  -- No foreign key: it would check 10,000 learners one by one. Nothing is marked for a learner who was erased meanwhile.
  learner_id bigint not null,
  created_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id)
);

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

-- Every content that the directory or an event has named. A content that only events name, or that was deleted from the
-- directory, is not listed; it keeps its id.
create table contents (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  type text collate "C" not null,
  tu_id text collate "C" not null,
  name text,
  is_live boolean not null default true,
  is_listed boolean not null,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  primary key (brand_id, id),
  constraint contents_reference_unique unique (brand_id, type, tu_id),
  constraint contents_type_form check (type ~ '^[a-z_]{1,32}$'),
  constraint contents_tu_id_form check (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint contents_name_length check (char_length(name) between 1 and 255)
);

-- Operation ---------------------------------------------------------------------------------------------------------

-- Written repeatedly after a write failed because the disk was full or the database read-only, until a write succeeds [D78].
-- external: the filler is stored uncompressed, so that it takes the space that it claims.
create table write_probe (filler text storage external not null);

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

-- Alerts that wait for the webhook of the operator, or were sent there [D254]. Without brand_id: they are of the
-- installation.
create table alerts (
  id uuid not null default gen_random_uuid() primary key,
  -- What the alert is about, once: "feed_failed/12/2026-03-01T08".
  concern text collate "C" not null constraint alerts_concern_unique unique,
  kind text not null,
  at timestamptz(3) not null,
  details jsonb not null,
  created_at timestamptz(3) not null,
  attempts integer not null default 0,
  -- null: it was sent, or there are no more attempts.
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3)
);
create index alerts_due on alerts (next_attempt_at) where next_attempt_at is not null;
create index alerts_by_age on alerts (created_at);

-- Concerns of the overview that operators have muted, by the id of the concern, which is another once the concern changes.
create table muted_concerns (
  id text collate "C" primary key,
  muted_at timestamptz(3) not null default now_ms(),
  -- null: for as long as the concern stays the same.
  muted_until timestamptz(3),
  actor text not null,
  constraint muted_concerns_id_form check (id ~ '^[a-z_]+[.][0-9a-f]{16}$')
);
