-- Brands, access, idempotency and products.
-- brand_id leads every key and index of a table that belongs to a brand: no query spans brands, and the schema can be
-- spread over several machines by brand as it stands. Timestamps keep milliseconds, which is what is served.

create table brands (
  id integer generated always as identity primary key,
  name text not null,
  currency text not null default 'EUR',
  default_language text not null default 'en',
  low_stock_threshold integer not null default 5,
  stale_after_hours integer,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  constraint brands_name_length check (char_length(name) between 1 and 255),
  constraint brands_currency_form check (currency ~ '^[A-Z]{3}$'),
  constraint brands_low_stock_threshold_range check (low_stock_threshold >= 0),
  constraint brands_stale_after_hours_range check (stale_after_hours > 0)
);

-- key_id alone is unique as well: a request names its key before its brand is known.
create table api_keys (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  key_id text not null,
  -- The id of the first key of a chain of rotations; idempotency records belong to it.
  lineage_id bigint not null,
  secret_sha256 bytea not null,
  name text not null,
  scopes text[] not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  rotated_from_key_id text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint api_keys_key_id_unique unique (key_id),
  constraint api_keys_key_id_form check (key_id ~ '^tuk_[0-9a-f]{24}$'),
  constraint api_keys_secret_length check (octet_length(secret_sha256) = 32),
  constraint api_keys_has_scopes check (cardinality(scopes) > 0)
);

-- A key has one successor at the most.
create unique index api_keys_one_successor on api_keys (brand_id, rotated_from_key_id)
  where rotated_from_key_id is not null;

create table feed_tokens (
  brand_id integer not null references brands (id),
  id bigint generated always as identity,
  token_sha256 bytea not null,
  -- The last four characters, so that an operator can tell tokens apart.
  hint text not null,
  name text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, id),
  constraint feed_tokens_id_unique unique (id),
  constraint feed_tokens_token_unique unique (token_sha256),
  constraint feed_tokens_token_length check (octet_length(token_sha256) = 32)
);

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  action text not null,
  brand_id integer references brands (id),
  resource_type text not null,
  resource_id text not null,
  -- What was changed, never a secret.
  details jsonb not null default '{}'
);

create index audit_entries_by_brand on audit_entries (brand_id, id);
create index audit_entries_by_action on audit_entries (action, id);

-- One row for each write that an Idempotency-Key stands for, committed with the write itself.
create table idempotency_records (
  brand_id integer not null references brands (id),
  lineage_id bigint not null,
  idempotency_key text not null,
  -- SHA-256 over method, path and the exact bytes of the body.
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (brand_id, lineage_id, idempotency_key),
  constraint idempotency_records_success_only check (status between 200 and 299),
  constraint idempotency_records_key_length check (char_length(idempotency_key) between 1 and 191)
);

create index idempotency_records_by_age on idempotency_records (created_at);

-- Finds the settled record of a key, or takes the key for this transaction. state: 'settled' (the other columns hold
-- the record), 'claimed' (the caller runs the write) or 'running' (another transaction holds it).
-- "Running" is an advisory lock that ends with its transaction, however that ends, so no row can stay behind and
-- block the key. It is a function because each statement in it sees what was committed before it, which one statement
-- could not: the record has to be looked for again after the lock was tried.
create function claim_idempotency_key(p_brand_id integer, p_lineage_id bigint, p_key text, p_not_before timestamptz)
returns table (state text, fingerprint bytea, status smallint, headers jsonb, body text)
language plpgsql volatile as $$
declare
  locked boolean;
begin
  for attempt in 1..2 loop
    return query
      select 'settled', r.fingerprint, r.status, r.headers, r.body
      from idempotency_records r
      where r.brand_id = p_brand_id and r.lineage_id = p_lineage_id and r.idempotency_key = p_key
        and r.created_at > p_not_before;
    if found then
      return;
    end if;
    if attempt = 1 then
      locked := pg_try_advisory_xact_lock(hashtextextended(p_lineage_id || ':' || p_key, p_brand_id));
    end if;
  end loop;
  return query
    select case when locked then 'claimed' else 'running' end,
           null::bytea, null::smallint, null::jsonb, null::text;
end
$$;

-- What a brand's catalog knows of itself: one row that every change of a product locks and moves, which puts the
-- changes of a brand into one order, and the counters from which list totals are read.
create table brand_catalogs (
  brand_id integer primary key references brands (id),
  version bigint not null,
  changed_at timestamptz(3) not null,
  products_total bigint not null default 0,
  products_active bigint not null default 0,
  products_with_variants bigint not null default 0,
  products_active_with_variants bigint not null default 0,
  constraint brand_catalogs_counters check (
    products_active between 0 and products_total
    and products_with_variants between 0 and products_total
    and products_active_with_variants between 0 and least(products_active, products_with_variants)
  )
);

-- Every SKU of a brand, of products and variants alike; a deleted variant keeps its own. collate "C": SKUs compare
-- byte by byte whatever the locale of the database.
create table sku_claims (
  brand_id integer not null references brands (id),
  sku text collate "C" not null,
  kind text not null,
  tu_id text not null,
  primary key (brand_id, sku),
  constraint sku_claims_kind check (kind in ('product', 'variant')),
  constraint sku_claims_sku_length check (char_length(sku) between 1 and 191)
);

create table products (
  brand_id integer not null references brands (id),
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
  -- Follows the order of commits within a brand (brand_catalogs.changed_at).
  updated_at timestamptz(3) not null,
  primary key (brand_id, id),
  constraint products_tu_id_unique unique (brand_id, tu_id),
  constraint products_sku_unique unique (brand_id, sku),
  constraint products_sku_claimed foreign key (brand_id, sku) references sku_claims (brand_id, sku),
  constraint products_type check (type in ('simple')),
  constraint products_title_length check (char_length(title) between 1 and 255),
  constraint products_short_description_length check (char_length(short_description) <= 5000),
  constraint products_price_range check (price_value >= 0),
  constraint products_currency_form check (price_currency ~ '^[A-Z]{3}$'),
  constraint products_tax_class_length check (char_length(tax_class) between 1 and 64)
);

-- The orders of the product list; the third one, by sku, is the unique constraint's index.
create index products_by_updated_at on products (brand_id, updated_at, id);
create index products_by_created_at on products (brand_id, created_at, id);
