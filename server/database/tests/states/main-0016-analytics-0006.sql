-- Generated; see states.test.ts.

CREATE SCHEMA analytics;

CREATE TABLE schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_objects (
  name text NOT NULL,
  checksum text NOT NULL,
  "position" integer NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_objects_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_revision (
  is_only boolean NOT NULL DEFAULT true,
  revision integer NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_revision_pkey PRIMARY KEY (is_only),
  CONSTRAINT schema_revision_is_only_check CHECK (is_only)
);

CREATE OR REPLACE FUNCTION public.now_ms()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, clock_timestamp());

CREATE TABLE brands (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  currency text NOT NULL DEFAULT 'EUR'::text,
  default_language text NOT NULL DEFAULT 'en'::text,
  low_stock_threshold integer NOT NULL DEFAULT 5,
  stale_after_hours integer,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  closed_at timestamptz(3),
  exported_at timestamptz(3),
  CONSTRAINT brands_pkey PRIMARY KEY (id),
  CONSTRAINT brands_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  CONSTRAINT brands_currency_form CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT brands_low_stock_threshold_range CHECK (low_stock_threshold >= 0),
  CONSTRAINT brands_stale_after_hours_range CHECK (stale_after_hours > 0),
  CONSTRAINT brands_exported_when_closed CHECK (exported_at IS NULL OR closed_at IS NOT NULL)
);

CREATE TABLE api_keys (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key_id text NOT NULL,
  lineage_id bigint NOT NULL,
  secret_sha256 bytea NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  rotated_from_key_id text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  replaces_key_id text,
  last_used_from inet,
  brand_is_closed boolean NOT NULL DEFAULT false,
  CONSTRAINT api_keys_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT api_keys_key_id_unique UNIQUE (key_id),
  CONSTRAINT api_keys_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT api_keys_key_id_form CHECK (key_id ~ '^tuk_[0-9a-f]{24}$'::text),
  CONSTRAINT api_keys_secret_length CHECK (octet_length(secret_sha256) = 32),
  CONSTRAINT api_keys_has_scopes CHECK (cardinality(scopes) > 0),
  CONSTRAINT api_keys_one_predecessor CHECK (replaces_key_id IS NULL OR rotated_from_key_id IS NULL)
);
CREATE UNIQUE INDEX api_keys_one_successor ON api_keys USING btree (brand_id, rotated_from_key_id) WHERE rotated_from_key_id IS NOT NULL;
CREATE INDEX api_keys_by_expiry ON api_keys USING btree (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX api_keys_by_lineage ON api_keys USING btree (brand_id, lineage_id);

CREATE TABLE feed_tokens (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_sha256 bytea NOT NULL,
  hint text NOT NULL,
  name text NOT NULL,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  last_used_from inet,
  brand_is_closed boolean NOT NULL DEFAULT false,
  CONSTRAINT feed_tokens_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT feed_tokens_id_unique UNIQUE (id),
  CONSTRAINT feed_tokens_token_unique UNIQUE (token_sha256),
  CONSTRAINT feed_tokens_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT feed_tokens_token_length CHECK (octet_length(token_sha256) = 32)
);

CREATE TABLE idempotency_records (
  brand_id integer NOT NULL,
  lineage_id bigint NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  method text,
  path text,
  key_id text,
  request_id text,
  CONSTRAINT idempotency_records_pkey PRIMARY KEY (brand_id, lineage_id, idempotency_key),
  CONSTRAINT idempotency_records_success_only CHECK (status >= 200 AND status <= 299),
  CONSTRAINT idempotency_records_key_length CHECK (char_length(idempotency_key) >= 1 AND char_length(idempotency_key) <= 191)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records USING btree (created_at);
CREATE INDEX idempotency_records_by_request ON idempotency_records USING btree (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE brand_catalogs (
  brand_id integer NOT NULL,
  version bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  products_total bigint NOT NULL DEFAULT 0,
  products_active bigint NOT NULL DEFAULT 0,
  products_with_variants bigint NOT NULL DEFAULT 0,
  products_active_with_variants bigint NOT NULL DEFAULT 0,
  axes_version bigint NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000::numeric),
  CONSTRAINT brand_catalogs_pkey PRIMARY KEY (brand_id),
  CONSTRAINT brand_catalogs_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT brand_catalogs_counters CHECK (products_active >= 0 AND products_active <= products_total AND products_with_variants >= 0 AND products_with_variants <= products_total AND products_active_with_variants >= 0 AND products_active_with_variants <= LEAST(products_active, products_with_variants))
);

CREATE TABLE sku_claims (
  brand_id integer NOT NULL,
  sku text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  tu_id text NOT NULL,
  CONSTRAINT sku_claims_pkey PRIMARY KEY (brand_id, sku),
  CONSTRAINT sku_claims_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT sku_claims_kind CHECK (kind = ANY (ARRAY['product'::text, 'variant'::text])),
  CONSTRAINT sku_claims_sku_length CHECK (char_length(sku) >= 1 AND char_length(sku) <= 191)
);

CREATE TABLE products (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  tu_id text COLLATE "C" NOT NULL,
  sku text COLLATE "C" NOT NULL,
  type text NOT NULL,
  title text NOT NULL,
  short_description text,
  default_language text NOT NULL,
  versions jsonb NOT NULL,
  price_value numeric(15,4) NOT NULL,
  price_currency text NOT NULL,
  tax_class text NOT NULL,
  is_active boolean NOT NULL,
  has_variants boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  live_variants integer NOT NULL DEFAULT 0,
  active_variants integer NOT NULL DEFAULT 0,
  inheriting_variants integer NOT NULL DEFAULT 0,
  own_price_min numeric(15,4),
  own_price_max numeric(15,4),
  CONSTRAINT products_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT products_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT products_sku_unique UNIQUE (brand_id, sku),
  CONSTRAINT products_sku_claimed FOREIGN KEY (brand_id, sku) REFERENCES sku_claims(brand_id, sku),
  CONSTRAINT products_type CHECK (type = 'simple'::text),
  CONSTRAINT products_title_length CHECK (char_length(title) >= 1 AND char_length(title) <= 255),
  CONSTRAINT products_short_description_length CHECK (char_length(short_description) <= 5000),
  CONSTRAINT products_price_range CHECK (price_value >= 0::numeric),
  CONSTRAINT products_currency_form CHECK (price_currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT products_tax_class_length CHECK (char_length(tax_class) >= 1 AND char_length(tax_class) <= 64),
  CONSTRAINT products_variant_rollup CHECK (0 <= inheriting_variants AND inheriting_variants <= active_variants AND active_variants <= live_variants AND has_variants = (live_variants > 0))
);
CREATE INDEX products_by_updated_at ON products USING btree (brand_id, updated_at, id);
CREATE INDEX products_by_created_at ON products USING btree (brand_id, created_at, id);
CREATE INDEX products_by_activity ON products USING btree (brand_id, is_active, updated_at, id);
CREATE INDEX products_by_kind ON products USING btree (brand_id, has_variants, updated_at, id);

CREATE TABLE axes (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  code text COLLATE "C" NOT NULL,
  label text,
  "position" integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT axes_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT axes_code_unique UNIQUE (brand_id, code),
  CONSTRAINT axes_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT axes_code_form CHECK (code ~ '^[a-zA-Z0-9._-]{1,64}$'::text),
  CONSTRAINT axes_label_length CHECK (char_length(label) >= 1 AND char_length(label) <= 255)
);

CREATE TABLE axis_values (
  brand_id integer NOT NULL,
  axis_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  value text COLLATE "C" NOT NULL,
  label text,
  "position" integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT axis_values_pkey PRIMARY KEY (brand_id, axis_id, id),
  CONSTRAINT axis_values_value_unique UNIQUE (brand_id, value, axis_id),
  CONSTRAINT axis_values_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT axis_values_of_axis FOREIGN KEY (brand_id, axis_id) REFERENCES axes(brand_id, id) ON DELETE CASCADE,
  CONSTRAINT axis_values_value_form CHECK (value ~ '^[a-zA-Z0-9._-]{1,64}$'::text),
  CONSTRAINT axis_values_label_length CHECK (char_length(label) >= 1 AND char_length(label) <= 255)
);

CREATE TABLE product_axes (
  brand_id integer NOT NULL,
  product_id bigint NOT NULL,
  axis_id bigint NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT product_axes_pkey PRIMARY KEY (brand_id, product_id, axis_id),
  CONSTRAINT product_axes_of_product FOREIGN KEY (brand_id, product_id) REFERENCES products(brand_id, id),
  CONSTRAINT product_axes_axis FOREIGN KEY (brand_id, axis_id) REFERENCES axes(brand_id, id)
);
CREATE INDEX product_axes_by_axis ON product_axes USING btree (brand_id, axis_id, product_id);

CREATE TABLE product_axis_values (
  brand_id integer NOT NULL,
  product_id bigint NOT NULL,
  axis_id bigint NOT NULL,
  value_id bigint NOT NULL,
  CONSTRAINT product_axis_values_pkey PRIMARY KEY (brand_id, product_id, axis_id, value_id),
  CONSTRAINT product_axis_values_of_axis FOREIGN KEY (brand_id, product_id, axis_id) REFERENCES product_axes(brand_id, product_id, axis_id) ON DELETE CASCADE,
  CONSTRAINT product_axis_values_value FOREIGN KEY (brand_id, axis_id, value_id) REFERENCES axis_values(brand_id, axis_id, id)
);
CREATE INDEX product_axis_values_by_value ON product_axis_values USING btree (brand_id, value_id, axis_id, product_id);

CREATE TABLE variants (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  product_id bigint NOT NULL,
  tu_id text COLLATE "C" NOT NULL,
  sku text COLLATE "C" NOT NULL,
  barcode text,
  combination text COLLATE "C" NOT NULL,
  price_value numeric(15,4),
  "position" integer NOT NULL,
  is_active boolean NOT NULL DEFAULT false,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT variants_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT variants_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT variants_sku_unique UNIQUE (brand_id, sku),
  CONSTRAINT variants_sku_claimed FOREIGN KEY (brand_id, sku) REFERENCES sku_claims(brand_id, sku),
  CONSTRAINT variants_of_product FOREIGN KEY (brand_id, product_id) REFERENCES products(brand_id, id),
  CONSTRAINT variants_price_range CHECK (price_value >= 0::numeric),
  CONSTRAINT variants_barcode_length CHECK (char_length(barcode) >= 1 AND char_length(barcode) <= 64)
);
CREATE UNIQUE INDEX variants_combination_unique ON variants USING btree (brand_id, product_id, sha256(combination::bytea)) WHERE deleted_at IS NULL;
CREATE INDEX variants_in_order ON variants USING btree (brand_id, product_id, "position", id) WHERE deleted_at IS NULL;

CREATE TABLE variant_axis_values (
  brand_id integer NOT NULL,
  variant_id bigint NOT NULL,
  axis_id bigint NOT NULL,
  value_id bigint NOT NULL,
  CONSTRAINT variant_axis_values_pkey PRIMARY KEY (brand_id, variant_id, axis_id),
  CONSTRAINT variant_axis_values_of_variant FOREIGN KEY (brand_id, variant_id) REFERENCES variants(brand_id, id),
  CONSTRAINT variant_axis_values_value FOREIGN KEY (brand_id, axis_id, value_id) REFERENCES axis_values(brand_id, axis_id, id)
);
CREATE INDEX variant_axis_values_by_value ON variant_axis_values USING btree (brand_id, value_id, axis_id);

CREATE TABLE stock_locations (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  external_code text COLLATE "C" NOT NULL,
  name text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT stock_locations_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT stock_locations_code_unique UNIQUE (brand_id, external_code),
  CONSTRAINT stock_locations_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT stock_locations_code_form CHECK (external_code ~ '^[A-Za-z0-9._~-]{1,64}$'::text),
  CONSTRAINT stock_locations_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);

CREATE TABLE stock_levels (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  product_id bigint NOT NULL,
  variant_id bigint,
  location_id bigint NOT NULL,
  sku text COLLATE "C" NOT NULL,
  location_code text COLLATE "C" NOT NULL,
  is_hidden boolean NOT NULL DEFAULT false,
  quantity integer NOT NULL,
  reserved integer NOT NULL DEFAULT 0,
  source_updated_at timestamptz(3) NOT NULL,
  is_from_feed boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT stock_levels_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT stock_levels_place_unique UNIQUE NULLS NOT DISTINCT (brand_id, product_id, variant_id, location_id),
  CONSTRAINT stock_levels_of_product FOREIGN KEY (brand_id, product_id) REFERENCES products(brand_id, id),
  CONSTRAINT stock_levels_of_variant FOREIGN KEY (brand_id, variant_id) REFERENCES variants(brand_id, id),
  CONSTRAINT stock_levels_location FOREIGN KEY (brand_id, location_id) REFERENCES stock_locations(brand_id, id),
  CONSTRAINT stock_levels_quantity_range CHECK (quantity >= 0),
  CONSTRAINT stock_levels_reserved_range CHECK (reserved >= 0)
) WITH (fillfactor=85);
CREATE INDEX stock_levels_in_order ON stock_levels USING btree (brand_id, sku, location_code) WHERE NOT is_hidden;
CREATE INDEX stock_levels_by_location ON stock_levels USING btree (brand_id, location_code, sku) WHERE NOT is_hidden;

CREATE TABLE stock_movements (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  level_id bigint NOT NULL,
  product_id bigint NOT NULL,
  variant_id bigint,
  sku text COLLATE "C" NOT NULL,
  location_code text COLLATE "C" NOT NULL,
  quantity_before integer NOT NULL,
  quantity_after integer NOT NULL,
  delta integer NOT NULL GENERATED ALWAYS AS (quantity_after - quantity_before) STORED,
  reason text NOT NULL,
  note text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  key_id text,
  request_id text,
  feed_id bigint,
  feed_line integer,
  CONSTRAINT stock_movements_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT stock_movements_level FOREIGN KEY (brand_id, level_id) REFERENCES stock_levels(brand_id, id),
  CONSTRAINT stock_movements_reason CHECK (reason = ANY (ARRAY['manual'::text, 'feed'::text])),
  CONSTRAINT stock_movements_moves CHECK (quantity_before <> quantity_after),
  CONSTRAINT stock_movements_note_length CHECK (char_length(note) >= 1 AND char_length(note) <= 255),
  CONSTRAINT stock_movements_origin CHECK ((feed_id IS NULL) = (feed_line IS NULL) AND (feed_id IS NULL OR reason = 'feed'::text AND key_id IS NULL AND request_id IS NULL))
);
CREATE INDEX stock_movements_by_product ON stock_movements USING btree (brand_id, product_id, id);
CREATE INDEX stock_movements_by_level ON stock_movements USING btree (brand_id, level_id, id);
CREATE INDEX stock_movements_by_request ON stock_movements USING btree (request_id) WHERE request_id IS NOT NULL;

CREATE TABLE product_stock (
  brand_id integer NOT NULL,
  product_id bigint NOT NULL,
  total_quantity bigint NOT NULL DEFAULT 0,
  total_reserved bigint NOT NULL DEFAULT 0,
  own_levels integer NOT NULL DEFAULT 0,
  own_counted_levels integer NOT NULL DEFAULT 0,
  own_available bigint NOT NULL DEFAULT 0,
  own_fresh_at timestamptz(3),
  variant_levels integer NOT NULL DEFAULT 0,
  variant_counted_levels integer NOT NULL DEFAULT 0,
  variant_available bigint NOT NULL DEFAULT 0,
  variant_fresh_at timestamptz(3),
  CONSTRAINT product_stock_pkey PRIMARY KEY (brand_id, product_id),
  CONSTRAINT product_stock_of_product FOREIGN KEY (brand_id, product_id) REFERENCES products(brand_id, id)
) WITH (fillfactor=80);

CREATE TABLE stock_feeds (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  tu_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  lines_sha256 bytea NOT NULL,
  source text NOT NULL,
  status text NOT NULL DEFAULT 'queued'::text,
  received_lines integer NOT NULL,
  next_line integer NOT NULL DEFAULT 0,
  totals jsonb NOT NULL DEFAULT '{}'::jsonb,
  message text,
  failed_attempts integer NOT NULL DEFAULT 0,
  received_at timestamptz(3) NOT NULL,
  worked_at timestamptz(3),
  finished_at timestamptz(3),
  report_order integer[] STORAGE external,
  submitted_by text,
  request_id text,
  lines_dropped_at timestamptz(3),
  CONSTRAINT stock_feeds_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT stock_feeds_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT stock_feeds_batch_unique UNIQUE (brand_id, batch_id),
  CONSTRAINT stock_feeds_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT stock_feeds_status CHECK (status = ANY (ARRAY['queued'::text, 'processing'::text, 'completed'::text, 'failed'::text])),
  CONSTRAINT stock_feeds_ends CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text])) = (finished_at IS NOT NULL)),
  CONSTRAINT stock_feeds_lines_range CHECK (received_lines >= 1 AND received_lines <= 100000),
  CONSTRAINT stock_feeds_next_line_range CHECK (next_line >= 0 AND next_line <= received_lines),
  CONSTRAINT stock_feeds_dropped_when_finished CHECK (lines_dropped_at IS NULL OR finished_at IS NOT NULL)
);
CREATE INDEX stock_feeds_unfinished ON stock_feeds USING btree (brand_id, id) WHERE finished_at IS NULL;
CREATE INDEX stock_feeds_by_request ON stock_feeds USING btree (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX stock_feeds_with_lines ON stock_feeds USING btree (finished_at) WHERE finished_at IS NOT NULL AND lines_dropped_at IS NULL;
CREATE INDEX stock_feeds_failed ON stock_feeds USING btree (finished_at) WHERE status = 'failed'::text;

CREATE TABLE markets (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  tu_id text COLLATE "C" NOT NULL,
  name text,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT markets_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT markets_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT markets_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT markets_tu_id_form CHECK (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'::text),
  CONSTRAINT markets_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);

CREATE TABLE points_of_sale (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  tu_id text COLLATE "C" NOT NULL,
  name text,
  location_id bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT points_of_sale_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT points_of_sale_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT points_of_sale_location_unique UNIQUE (brand_id, location_id),
  CONSTRAINT points_of_sale_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT points_of_sale_location FOREIGN KEY (brand_id, location_id) REFERENCES stock_locations(brand_id, id),
  CONSTRAINT points_of_sale_tu_id_form CHECK (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'::text),
  CONSTRAINT points_of_sale_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);

CREATE TABLE learners (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  tu_id text COLLATE "C" NOT NULL,
  market_id bigint,
  analytics_opt_out boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT learners_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT learners_tu_id_unique UNIQUE (brand_id, tu_id),
  CONSTRAINT learners_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT learners_market FOREIGN KEY (brand_id, market_id) REFERENCES markets(brand_id, id),
  CONSTRAINT learners_tu_id_form CHECK (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'::text)
);
CREATE INDEX learners_opted_out ON learners USING btree (brand_id, id) WHERE analytics_opt_out;
CREATE INDEX learners_by_market ON learners USING btree (brand_id, market_id);

CREATE TABLE learner_returns (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  learner_id bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT learner_returns_pkey PRIMARY KEY (brand_id, id)
);

CREATE TABLE contents (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text COLLATE "C" NOT NULL,
  tu_id text COLLATE "C" NOT NULL,
  name text,
  is_live boolean NOT NULL DEFAULT true,
  is_listed boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT contents_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT contents_reference_unique UNIQUE (brand_id, type, tu_id),
  CONSTRAINT contents_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT contents_type_form CHECK (type ~ '^[a-z_]{1,32}$'::text),
  CONSTRAINT contents_tu_id_form CHECK (tu_id ~ '^[A-Za-z0-9_-]{1,64}$'::text),
  CONSTRAINT contents_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);

CREATE TABLE write_probe (
  filler text STORAGE external NOT NULL
);

CREATE TABLE retention_runs (
  policy text COLLATE "C" NOT NULL,
  finished_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  dropped_rows bigint NOT NULL,
  held_back_by date,
  CONSTRAINT retention_runs_pkey PRIMARY KEY (policy),
  CONSTRAINT retention_runs_dropped_rows_range CHECK (dropped_rows >= 0)
);

CREATE TABLE directory_changes (
  brand_id integer NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject_id bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT directory_changes_pkey PRIMARY KEY (brand_id, id),
  CONSTRAINT directory_changes_kind CHECK (kind = ANY (ARRAY['learner'::text, 'content'::text, 'market'::text]))
);

CREATE TABLE directory_versions (
  brand_id integer NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT directory_versions_pkey PRIMARY KEY (brand_id),
  CONSTRAINT directory_versions_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT directory_versions_version CHECK (version > 0)
);

CREATE TABLE refused_feed_lines (
  brand_id integer NOT NULL,
  sku text COLLATE "C" NOT NULL,
  location_code text COLLATE "C" NOT NULL,
  feed_id bigint NOT NULL,
  line integer NOT NULL,
  result text NOT NULL,
  refused_at timestamptz(3) NOT NULL,
  CONSTRAINT refused_feed_lines_pkey PRIMARY KEY (brand_id, sku, location_code, feed_id, line),
  CONSTRAINT refused_feed_lines_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT refused_feed_lines_result CHECK (result = ANY (ARRAY['stale'::text, 'superseded'::text]))
);
CREATE INDEX refused_feed_lines_by_feed ON refused_feed_lines USING btree (brand_id, feed_id);

CREATE TABLE api_key_usage (
  brand_id integer NOT NULL,
  hour timestamptz(3) NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  scope text,
  requests bigint NOT NULL,
  denied bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  CONSTRAINT api_key_usage_pkey PRIMARY KEY (brand_id, hour, key_id, operation),
  CONSTRAINT api_key_usage_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT api_key_usage_whole_hour CHECK (mod(EXTRACT(epoch FROM hour), 3600::numeric) = 0::numeric),
  CONSTRAINT api_key_usage_counts CHECK (denied >= 0 AND refused >= 0 AND failed >= 0 AND requests > 0 AND requests >= (denied + refused + failed))
) WITH (fillfactor=80);
CREATE INDEX api_key_usage_by_hour ON api_key_usage USING btree (hour);
CREATE INDEX api_key_usage_denied ON api_key_usage USING btree (hour) WHERE denied > 0;

CREATE TABLE administrators (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_id text COLLATE "C" NOT NULL,
  secret_sha256 bytea NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  brand_ids integer[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_from inet,
  created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
  CONSTRAINT administrators_pkey PRIMARY KEY (id),
  CONSTRAINT administrators_token_id_key UNIQUE (token_id),
  CONSTRAINT administrators_token_id CHECK (token_id ~ '^bpa_[0-9a-f]{24}$'::text),
  CONSTRAINT administrators_digest CHECK (octet_length(secret_sha256) = 32),
  CONSTRAINT administrators_role CHECK (role = ANY (ARRAY['administrator'::text, 'operator'::text, 'support'::text])),
  CONSTRAINT administrators_brands CHECK (
CASE role
    WHEN 'administrator'::text THEN brand_ids IS NULL
    WHEN 'operator'::text THEN cardinality(brand_ids) > 0
    ELSE true
END)
);

CREATE TABLE console_sessions (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_sha256 bytea NOT NULL,
  actor text NOT NULL,
  actor_name text,
  administrator_id bigint,
  role text NOT NULL,
  brand_ids integer[],
  address inet,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT console_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT console_sessions_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT console_sessions_administrator_id_fkey FOREIGN KEY (administrator_id) REFERENCES administrators(id) ON DELETE CASCADE,
  CONSTRAINT console_sessions_digest CHECK (octet_length(token_sha256) = 32),
  CONSTRAINT console_sessions_role CHECK (role = ANY (ARRAY['administrator'::text, 'operator'::text, 'support'::text])),
  CONSTRAINT console_sessions_brands CHECK (
CASE role
    WHEN 'administrator'::text THEN brand_ids IS NULL
    WHEN 'operator'::text THEN cardinality(brand_ids) > 0
    ELSE true
END),
  CONSTRAINT console_sessions_times CHECK (created_at <= last_seen_at AND created_at < expires_at)
);
CREATE INDEX console_sessions_by_end ON console_sessions USING btree (expires_at);
CREATE INDEX console_sessions_by_administrator ON console_sessions USING btree (administrator_id);

CREATE TABLE console_sign_ins (
  state_sha256 bytea NOT NULL,
  browser_sha256 bytea NOT NULL,
  return_to text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT console_sign_ins_pkey PRIMARY KEY (state_sha256),
  CONSTRAINT console_sign_ins_digests CHECK (octet_length(state_sha256) = 32 AND octet_length(browser_sha256) = 32),
  CONSTRAINT console_sign_ins_return_to CHECK (length(return_to) <= 2000)
);
CREATE INDEX console_sign_ins_by_end ON console_sign_ins USING btree (expires_at);

CREATE TABLE audit_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL DEFAULT now_ms(),
  action text NOT NULL,
  brand_id integer,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  actor text,
  address inet,
  request_id text,
  actor_name text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id)
) PARTITION BY RANGE (id);
CREATE INDEX audit_entries_by_brand ON audit_entries USING btree (brand_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries USING btree (action, id);
CREATE INDEX audit_entries_by_request ON audit_entries USING btree (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX audit_entries_by_age ON audit_entries USING btree (at);
CREATE INDEX audit_entries_by_resource ON audit_entries USING btree (resource_id, id);
CREATE INDEX audit_entries_by_actor ON audit_entries USING btree (actor, id);

CREATE TABLE audit_entries_p1 PARTITION OF audit_entries FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

CREATE TABLE cell (
  is_only boolean NOT NULL DEFAULT true,
  name text NOT NULL,
  CONSTRAINT cell_pkey PRIMARY KEY (is_only),
  CONSTRAINT cell_is_only_check CHECK (is_only),
  CONSTRAINT cell_name_form CHECK (name ~ '^[0-9a-f]{2}$'::text)
);

CREATE TABLE brand_stocks (
  brand_id integer NOT NULL,
  version bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  CONSTRAINT brand_stocks_pkey PRIMARY KEY (brand_id),
  CONSTRAINT brand_stocks_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT brand_stocks_version_range CHECK (version >= 0)
) WITH (fillfactor=25);

CREATE TABLE stock_changes (
  brand_id integer NOT NULL,
  version bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  level_ids bigint[] NOT NULL,
  CONSTRAINT stock_changes_pkey PRIMARY KEY (brand_id, version),
  CONSTRAINT stock_changes_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id)
);
CREATE INDEX stock_changes_by_age ON stock_changes USING btree (changed_at);

CREATE TABLE stock_feed_packs (
  brand_id integer NOT NULL,
  feed_id bigint NOT NULL,
  first_line integer NOT NULL,
  skus text[] COLLATE "C" NOT NULL,
  location_codes text[] COLLATE "C" NOT NULL,
  quantities integer[] NOT NULL,
  reserved integer[] NOT NULL,
  updated_ats timestamptz(3)[] NOT NULL,
  results text STORAGE main COLLATE "C" NOT NULL,
  CONSTRAINT stock_feed_packs_pkey PRIMARY KEY (brand_id, feed_id, first_line),
  CONSTRAINT stock_feed_packs_of_feed FOREIGN KEY (brand_id, feed_id) REFERENCES stock_feeds(brand_id, id),
  CONSTRAINT stock_feed_packs_place CHECK (first_line >= 0 AND (first_line % 1000) = 0),
  CONSTRAINT stock_feed_packs_results CHECK (results ~ '^[.auskpln]+$'::text AND length(results) <= 1000),
  CONSTRAINT stock_feed_packs_lengths CHECK (cardinality(skus) = length(results) AND cardinality(location_codes) = length(results) AND cardinality(quantities) = length(results) AND cardinality(reserved) = length(results) AND cardinality(updated_ats) = length(results))
) WITH (fillfactor=80, toast_tuple_target=128);

CREATE VIEW product_stock_truth AS
 SELECT p.brand_id,
    p.id AS product_id,
    COALESCE(sum(l.quantity) FILTER (WHERE v.deleted_at IS NULL), 0::bigint) AS total_quantity,
    COALESCE(sum(l.reserved) FILTER (WHERE v.deleted_at IS NULL), 0::bigint) AS total_reserved,
    count(l.id) FILTER (WHERE l.variant_id IS NULL)::integer AS own_levels,
    count(l.id) FILTER (WHERE l.variant_id IS NULL AND o.is_active)::integer AS own_counted_levels,
    COALESCE(sum(GREATEST(l.quantity - l.reserved, 0)) FILTER (WHERE l.variant_id IS NULL AND o.is_active), 0::bigint) AS own_available,
    max(
        CASE
            WHEN l.is_from_feed THEN l.source_updated_at
            ELSE 'infinity'::timestamp with time zone
        END) FILTER (WHERE l.variant_id IS NULL AND o.is_active) AS own_fresh_at,
    count(l.id) FILTER (WHERE v.is_active AND v.deleted_at IS NULL)::integer AS variant_levels,
    count(l.id) FILTER (WHERE v.is_active AND v.deleted_at IS NULL AND o.is_active)::integer AS variant_counted_levels,
    COALESCE(sum(GREATEST(l.quantity - l.reserved, 0)) FILTER (WHERE v.is_active AND v.deleted_at IS NULL AND o.is_active), 0::bigint) AS variant_available,
    max(
        CASE
            WHEN l.is_from_feed THEN l.source_updated_at
            ELSE 'infinity'::timestamp with time zone
        END) FILTER (WHERE v.is_active AND v.deleted_at IS NULL AND o.is_active) AS variant_fresh_at
   FROM products p
     LEFT JOIN stock_levels l ON l.brand_id = p.brand_id AND l.product_id = p.id
     LEFT JOIN stock_locations o ON o.brand_id = l.brand_id AND o.id = l.location_id
     LEFT JOIN variants v ON v.brand_id = l.brand_id AND v.id = l.variant_id
  GROUP BY p.brand_id, p.id;

CREATE VIEW product_variant_truth AS
 SELECT p.brand_id,
    p.id AS product_id,
    count(v.id)::integer AS live_variants,
    count(v.id) FILTER (WHERE v.is_active)::integer AS active_variants,
    count(v.id) FILTER (WHERE v.is_active AND v.price_value IS NULL)::integer AS inheriting_variants,
    min(v.price_value) FILTER (WHERE v.is_active) AS own_price_min,
    max(v.price_value) FILTER (WHERE v.is_active) AS own_price_max
   FROM products p
     LEFT JOIN variants v ON v.brand_id = p.brand_id AND v.product_id = p.id AND v.deleted_at IS NULL
  GROUP BY p.brand_id, p.id;

CREATE VIEW stock_feed_lines AS
 SELECT p.brand_id,
    p.feed_id,
    p.first_line,
    (p.first_line + x.n - 1)::integer AS line,
    x.sku,
    x.location_code,
    x.quantity,
    x.reserved,
    x.updated_at,
        CASE x.letter
            WHEN 'a'::text THEN 'applied'::text
            WHEN 'u'::text THEN 'unchanged'::text
            WHEN 's'::text THEN 'stale'::text
            WHEN 'k'::text THEN 'unknown_sku'::text
            WHEN 'p'::text THEN 'superseded'::text
            WHEN 'l'::text THEN 'unknown_location'::text
            WHEN 'n'::text THEN 'not_stockable'::text
            ELSE NULL::text
        END AS result
   FROM stock_feed_packs p
     CROSS JOIN LATERAL ROWS FROM(unnest(p.skus), unnest(p.location_codes), unnest(p.quantities), unnest(p.reserved), unnest(p.updated_ats), string_to_table(p.results, NULL::text)) WITH ORDINALITY x(sku, location_code, quantity, reserved, updated_at, letter, n)
  WHERE x.sku IS NOT NULL;

CREATE VIEW table_partitions AS
 SELECT t.relname::text AS table_name,
    c.relname::text AS name,
    c.oid AS partition_oid,
    "substring"(b.bound, 'FROM \(''?(\d+)'::text)::bigint AS begins_at,
    "substring"(b.bound, 'TO \(''?(\d+)'::text)::bigint AS ends_before,
    "substring"(pg_get_constraintdef(o.oid), '< ''?(\d+)'::text)::bigint AS announced_end,
    COALESCE(o.convalidated, false) AS is_end_validated
   FROM pg_partitioned_table p
     JOIN pg_class t ON t.oid = p.partrelid AND t.relnamespace = 'public'::regnamespace::oid
     JOIN pg_inherits i ON i.inhparent = t.oid
     JOIN pg_class c ON c.oid = i.inhrelid
     CROSS JOIN LATERAL ( SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
     LEFT JOIN pg_constraint o ON o.conrelid = c.oid AND o.conname = (c.relname::text || '_end'::text);

CREATE VIEW variant_stock AS
 SELECT l.brand_id,
    l.product_id,
    l.variant_id,
    count(*)::integer AS levels,
    count(*) FILTER (WHERE o.is_active)::integer AS counted_levels,
    COALESCE(sum(GREATEST(l.quantity - l.reserved, 0)) FILTER (WHERE o.is_active), 0::bigint) AS available,
    max(
        CASE
            WHEN l.is_from_feed THEN l.source_updated_at
            ELSE 'infinity'::timestamp with time zone
        END) FILTER (WHERE o.is_active) AS fresh_at
   FROM stock_levels l
     JOIN stock_locations o ON o.brand_id = l.brand_id AND o.id = l.location_id
  WHERE l.variant_id IS NOT NULL AND NOT l.is_hidden
  GROUP BY l.brand_id, l.product_id, l.variant_id;

CREATE OR REPLACE FUNCTION public.announce_partition_end(p_table text, p_sequence text, p_least_bytes bigint)
 RETURNS text
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  latest record;
  previous record;
  key_name text;
  used bigint;
  is_used boolean;
  first_id bigint;
  latest_bytes numeric;
  previous_bytes numeric := 0;
  target numeric;
  width numeric;
begin
  perform pg_advisory_xact_lock(4217735, 0);
  -- Processes of the version before find rows by their place, which is ambiguous in two partitions.
  if exists (select from schema_migrations where name like '____-partitions' and applied_at > now() - interval '1 day') then
    return null;
  end if;
  select p.* into strict latest from table_partitions p where p.table_name = p_table and p.ends_before is null;
  if latest.announced_end is not null then
    return latest.name;
  end if;
  execute format('select case when s.is_called then s.last_value else 0 end from %I s', p_sequence) into used;
  execute format('select exists (select from %I)', latest.name) into is_used;
  latest_bytes := pg_total_relation_size(latest.partition_oid);
  select greatest(p_least_bytes, sum(pg_total_relation_size(p.partition_oid)) / 16) into target
  from table_partitions p where p.table_name = p_table;
  if not is_used or (latest.begins_at is null and latest_bytes < target / 2) then
    return null;
  end if;
  -- The ids of as many bytes as the partition still gets, at the rate of bytes for each id until now.
  select p.* into previous from table_partitions p where p.table_name = p_table and p.ends_before = latest.begins_at;
  select a.attname into strict key_name
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = p_table::regclass;
  if previous.name is not null then
    previous_bytes := pg_total_relation_size(previous.partition_oid);
    first_id := previous.begins_at;
  end if;
  if first_id is null then
    -- The lowest id is not known without reading the table; what ANALYZE has seen is close enough.
    select min(v.id) into first_id from pg_stats s
    cross join lateral (
      select unnest(s.histogram_bounds::text::bigint[]) as id union all select unnest(s.most_common_vals::text::bigint[])
    ) v
    where s.schemaname = 'public' and s.tablename = coalesce(previous.name, latest.name) and s.attname = key_name;
  end if;
  width := greatest(target - latest_bytes, target / 2) * (used - coalesce(first_id, 0)) / (latest_bytes + previous_bytes);
  execute format('alter table %I add constraint %I check (%I < %s) not valid', latest.name, latest.name || '_end', key_name,
    greatest(used, latest.begins_at) + greatest(ceil(width), 1000));
  return latest.name;
end
$function$;

CREATE OR REPLACE FUNCTION public.claim_idempotency_keys(p_brand_ids integer[], p_lineage_ids bigint[], p_keys text[], p_not_before timestamp with time zone)
 RETURNS TABLE(n integer, state text, fingerprint bytea, status smallint, headers jsonb, body text)
 LANGUAGE plpgsql
AS $function$
declare
  claimed boolean[];
begin
  select array_agg(k.is_first and pg_try_advisory_xact_lock(hashtextextended(k.lineage_id || ':' || k.key, k.brand_id))
    order by k.place)
  into claimed
  from (
    select a.*, row_number() over (partition by a.brand_id, a.lineage_id, a.key order by a.place) = 1 as is_first
    from unnest(p_brand_ids, p_lineage_ids, p_keys) with ordinality as a (brand_id, lineage_id, key, place)
  ) k;
  return query
    select k.place::integer - 1,
      case when r.body is not null then 'settled' when claimed[k.place] then 'claimed' else 'running' end,
      r.fingerprint, r.status, r.headers, r.body
    from unnest(p_brand_ids, p_lineage_ids, p_keys) with ordinality as k (brand_id, lineage_id, key, place)
    left join lateral (
      select i.fingerprint, i.status, i.headers, i.body from idempotency_records i
      where i.brand_id = k.brand_id and i.lineage_id = k.lineage_id and i.idempotency_key = k.key
        and i.created_at > p_not_before
      offset 0
    ) r on true;
end
$function$;

CREATE OR REPLACE FUNCTION public.drop_first_partition(p_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  earliest record;
  following record;
begin
  select p.* into strict earliest from table_partitions p where p.table_name = p_table and p.begins_at is null;
  select p.* into strict following from table_partitions p
  where p.table_name = p_table and p.begins_at = earliest.ends_before;
  execute format('drop table %I', earliest.name);
  execute format('alter table %I detach partition %I', p_table, following.name);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', p_table, following.name,
    coalesce(following.ends_before::text, 'maxvalue'));
end
$function$;

CREATE OR REPLACE FUNCTION public.lock_partitioned_table(p_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  referenced text;
begin
  perform pg_advisory_xact_lock(4217735, 0);
  for referenced in
    select o.confrelid::regclass::text from pg_constraint o where o.conrelid = p_table::regclass and o.contype = 'f' order by 1
  loop
    execute format('lock table only %s in access exclusive mode', referenced);
  end loop;
  execute format('lock table only %I in access exclusive mode', p_table);
end
$function$;

CREATE OR REPLACE FUNCTION public.lock_first_partition(p_table text)
 RETURNS bigint
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  earliest record;
begin
  -- A backup holds this lock from before its snapshot: otherwise it could have the rows that refer to the partition without it.
  perform pg_advisory_xact_lock(4217734, 0);
  perform lock_partitioned_table(p_table);
  select p.* into strict earliest from table_partitions p where p.table_name = p_table and p.begins_at is null;
  execute format('lock table %I in access exclusive mode', earliest.name);
  return earliest.ends_before;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_directory_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
  end if;
  if tg_nargs = 1 then
    insert into directory_changes (brand_id, kind, subject_id) values (changed.brand_id, tg_argv[0], changed.id);
  end if;
  -- The setting ends with the transaction, and with a rollback to a savepoint before it.
  if current_setting('brandport.directory_changed', true) is distinct from changed.brand_id::text then
    insert into directory_versions as v (brand_id, version) values (changed.brand_id, 1)
    on conflict (brand_id) do update set version = v.version + 1;
    perform set_config('brandport.directory_changed', changed.brand_id::text, true);
  end if;
  return null;
end
$function$;

CREATE TRIGGER learners_note_opt_out AFTER UPDATE ON learners FOR EACH ROW WHEN (old.analytics_opt_out <> new.analytics_opt_out) EXECUTE FUNCTION note_directory_change('learner');

CREATE TRIGGER learners_note_deletion AFTER DELETE ON learners FOR EACH ROW EXECUTE FUNCTION note_directory_change('learner');

CREATE TRIGGER contents_note_listing AFTER UPDATE ON contents FOR EACH ROW WHEN (old.is_listed <> new.is_listed) EXECUTE FUNCTION note_directory_change('content');

CREATE TRIGGER contents_note_name AFTER UPDATE ON contents FOR EACH ROW WHEN (old.is_listed AND new.is_listed AND old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION note_directory_change();

CREATE TRIGGER markets_note_deletion AFTER DELETE ON markets FOR EACH ROW EXECUTE FUNCTION note_directory_change('market');

CREATE OR REPLACE FUNCTION public.note_learner_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into learner_returns (brand_id, learner_id) values (new.brand_id, new.id);
  return null;
end
$function$;

CREATE TRIGGER learners_note_return AFTER UPDATE ON learners FOR EACH ROW WHEN (old.analytics_opt_out AND NOT new.analytics_opt_out) EXECUTE FUNCTION note_learner_return();

CREATE OR REPLACE FUNCTION public.open_next_partition(p_table text)
 RETURNS text
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  latest record;
  next_name text;
  options text;
begin
  perform lock_partitioned_table(p_table);
  select p.* into strict latest from table_partitions p where p.table_name = p_table and p.ends_before is null;
  if latest.announced_end is null or not latest.is_end_validated then
    return null;
  end if;
  select p_table || '_p' || max(substring(p.name from '\d+$')::integer) + 1 into next_name
  from table_partitions p where p.table_name = p_table;
  select coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') into options
  from pg_class c where c.oid = latest.partition_oid;
  execute format('alter table %I detach partition %I', p_table, latest.name);
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', p_table, latest.name,
    coalesce(latest.begins_at::text, 'minvalue'), latest.announced_end);
  execute format('create table %I (like %I including defaults including constraints)', next_name, p_table) || options;
  execute format('alter table %I attach partition %I for values from (%s) to (maxvalue)', p_table, next_name,
    latest.announced_end);
  return next_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_closed_brand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Set by the commands that move a brand, until their transaction ends.
  if current_setting('brandport.moved_brand', true) = tg_argv[0] then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  -- Housekeeping of all brands leaves out this one: counts and times of use, and what has become too old.
  if tg_op = 'INSERT' and tg_argv[1] = 'api_key_usage'
    or tg_op = 'DELETE' and tg_argv[1] in ('api_key_usage', 'audit_entries', 'idempotency_records')
    or tg_op = 'UPDATE' and tg_argv[1] in ('api_keys', 'feed_tokens')
      and to_jsonb(new) - 'last_used_at' - 'last_used_from' = to_jsonb(old) - 'last_used_at' - 'last_used_from' then
    return null;
  end if;
  raise exception 'the brand % is closed', tg_argv[0] using errcode = '57B01';
end
$function$;

CREATE OR REPLACE FUNCTION public.validate_partition_end(p_partition text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
begin
  execute format('alter table %I validate constraint %I', p_partition, p_partition || '_end');
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_partition_end(p_partition text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '5s'
AS $function$
begin
  perform pg_advisory_xact_lock(4217735, 0);
  if exists (select from table_partitions p where p.name = p_partition and p.ends_before is null) then
    execute format('alter table %I drop constraint if exists %I', p_partition, p_partition || '_end');
  end if;
end
$function$;

CREATE TABLE analytics.schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE analytics.schema_objects (
  name text NOT NULL,
  checksum text NOT NULL,
  "position" integer NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_objects_pkey PRIMARY KEY (name)
);

CREATE TABLE analytics.schema_revision (
  is_only boolean NOT NULL DEFAULT true,
  revision integer NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_revision_pkey PRIMARY KEY (is_only),
  CONSTRAINT schema_revision_is_only_check CHECK (is_only)
);

CREATE TABLE analytics.learning_events (
  brand_id integer NOT NULL,
  day date NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  user_id bigint NOT NULL,
  content_ref_id bigint NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  market_id bigint,
  progress numeric,
  score numeric,
  questions integer,
  answered integer,
  time_spent_seconds integer NOT NULL,
  xp_earned integer NOT NULL,
  CONSTRAINT learning_events_pkey PRIMARY KEY (brand_id, day, event_id),
  CONSTRAINT learning_events_kind CHECK (kind = ANY (ARRAY['view'::text, 'completion'::text, 'success'::text, 'quiz'::text]))
) PARTITION BY RANGE (day);
CREATE INDEX learning_events_by_user ON analytics.learning_events USING btree (brand_id, user_id);

CREATE TABLE analytics.learning_events_default PARTITION OF analytics.learning_events DEFAULT;

CREATE TABLE analytics.event_claims (
  brand_id integer NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  CONSTRAINT event_claims_pkey PRIMARY KEY (brand_id, event_id)
);
CREATE INDEX event_claims_by_day ON analytics.event_claims USING btree (day);

CREATE TABLE analytics.brand_days (
  brand_id integer NOT NULL,
  day date NOT NULL,
  aggregated_at timestamptz(3),
  changes bigint NOT NULL DEFAULT 0,
  aggregated_changes bigint NOT NULL DEFAULT 0,
  is_dirty boolean NOT NULL GENERATED ALWAYS AS (changes > aggregated_changes) STORED,
  row_counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  events bigint NOT NULL DEFAULT 0,
  aggregated_events bigint NOT NULL DEFAULT 0,
  CONSTRAINT brand_days_pkey PRIMARY KEY (brand_id, day)
);
CREATE INDEX brand_days_dirty ON analytics.brand_days USING btree (brand_id, day) WHERE is_dirty;

CREATE TABLE analytics.event_retention (
  is_only boolean NOT NULL DEFAULT true,
  kept_since date NOT NULL,
  CONSTRAINT event_retention_pkey PRIMARY KEY (is_only),
  CONSTRAINT event_retention_is_only_check CHECK (is_only)
);

CREATE TABLE analytics.daily (
  brand_id integer NOT NULL,
  day date NOT NULL,
  market_id bigint NOT NULL,
  live_episodes bigint NOT NULL,
  live_programs bigint NOT NULL,
  live_quests bigint NOT NULL,
  live_products bigint NOT NULL,
  active_users bigint NOT NULL,
  views bigint NOT NULL,
  completions bigint NOT NULL,
  successes bigint NOT NULL,
  xp_earned bigint NOT NULL,
  time_spent_seconds bigint NOT NULL,
  episode_views bigint NOT NULL,
  episode_completions bigint NOT NULL,
  episode_successes bigint NOT NULL,
  episode_time_spent_seconds bigint NOT NULL,
  episode_progress_sum numeric NOT NULL,
  episode_progress_count bigint NOT NULL,
  episode_score_sum numeric NOT NULL,
  episode_score_count bigint NOT NULL,
  program_views bigint NOT NULL,
  program_completions bigint NOT NULL,
  program_successes bigint NOT NULL,
  program_time_spent_seconds bigint NOT NULL,
  program_progress_sum numeric NOT NULL,
  program_progress_count bigint NOT NULL,
  program_score_sum numeric NOT NULL,
  program_score_count bigint NOT NULL,
  quest_views bigint NOT NULL,
  quest_completions bigint NOT NULL,
  quest_successes bigint NOT NULL,
  quest_time_spent_seconds bigint NOT NULL,
  quest_progress_sum numeric NOT NULL,
  quest_progress_count bigint NOT NULL,
  quest_score_sum numeric NOT NULL,
  quest_score_count bigint NOT NULL,
  cumulative_views bigint NOT NULL,
  cumulative_completions bigint NOT NULL,
  cumulative_successes bigint NOT NULL,
  cumulative_xp_earned bigint NOT NULL,
  CONSTRAINT daily_pkey PRIMARY KEY (brand_id, day, market_id)
);
CREATE INDEX daily_by_market ON analytics.daily USING btree (brand_id, market_id, day);

CREATE TABLE analytics.contents (
  brand_id integer NOT NULL,
  content_ref_id bigint NOT NULL,
  day date NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  total_users bigint NOT NULL,
  views bigint NOT NULL,
  unique_views bigint NOT NULL,
  completions bigint NOT NULL,
  successes bigint NOT NULL,
  active_users bigint NOT NULL,
  xp_earned bigint NOT NULL,
  time_spent_seconds bigint NOT NULL,
  questions bigint NOT NULL,
  progress_sum numeric NOT NULL,
  progress_count bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_count bigint NOT NULL,
  cumulative_views bigint NOT NULL,
  cumulative_completions bigint NOT NULL,
  cumulative_successes bigint NOT NULL,
  cumulative_progress_sum numeric NOT NULL,
  cumulative_progress_count bigint NOT NULL,
  cumulative_score_sum numeric NOT NULL,
  cumulative_score_count bigint NOT NULL,
  CONSTRAINT contents_pkey PRIMARY KEY (brand_id, content_ref_id, day)
);
CREATE INDEX contents_by_day ON analytics.contents USING btree (brand_id, day);

CREATE TABLE analytics.users (
  brand_id integer NOT NULL,
  user_id bigint NOT NULL,
  day date NOT NULL,
  views bigint NOT NULL,
  completions bigint NOT NULL,
  successes bigint NOT NULL,
  xp_earned bigint NOT NULL,
  time_spent_seconds bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_count bigint NOT NULL,
  episode_views bigint NOT NULL,
  episode_completions bigint NOT NULL,
  episode_successes bigint NOT NULL,
  program_views bigint NOT NULL,
  program_completions bigint NOT NULL,
  program_successes bigint NOT NULL,
  quest_views bigint NOT NULL,
  quest_completions bigint NOT NULL,
  quest_successes bigint NOT NULL,
  cumulative_views bigint NOT NULL,
  cumulative_completions bigint NOT NULL,
  cumulative_successes bigint NOT NULL,
  cumulative_episode_views bigint NOT NULL,
  cumulative_episode_completions bigint NOT NULL,
  cumulative_episode_successes bigint NOT NULL,
  cumulative_program_views bigint NOT NULL,
  cumulative_program_completions bigint NOT NULL,
  cumulative_program_successes bigint NOT NULL,
  cumulative_quest_views bigint NOT NULL,
  cumulative_quest_completions bigint NOT NULL,
  cumulative_quest_successes bigint NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (brand_id, user_id, day)
);
CREATE INDEX users_by_day ON analytics.users USING btree (brand_id, day);

CREATE TABLE analytics.content_engagement (
  brand_id integer NOT NULL,
  content_ref_id bigint NOT NULL,
  day date NOT NULL,
  user_id bigint NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  completions bigint NOT NULL,
  successes bigint NOT NULL,
  xp_earned bigint NOT NULL,
  time_spent_seconds bigint NOT NULL,
  questions bigint NOT NULL,
  answered bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_count bigint NOT NULL,
  cumulative_views bigint NOT NULL,
  cumulative_xp_earned bigint NOT NULL,
  cumulative_time_spent_seconds bigint NOT NULL,
  cumulative_score_sum numeric NOT NULL,
  cumulative_score_count bigint NOT NULL,
  CONSTRAINT content_engagement_pkey PRIMARY KEY (brand_id, content_ref_id, day, user_id)
);
CREATE INDEX content_engagement_by_day ON analytics.content_engagement USING btree (brand_id, day);
CREATE INDEX content_engagement_by_user ON analytics.content_engagement USING btree (brand_id, user_id, content_ref_id, day);
CREATE INDEX content_engagement_completed ON analytics.content_engagement USING btree (brand_id, content_ref_id, day, user_id) WHERE completions > 0;

CREATE TABLE analytics.dataset_revisions (
  brand_id integer NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  day date NOT NULL,
  revision bigint NOT NULL,
  refreshed_at timestamptz(3) NOT NULL,
  aggregated_revision bigint NOT NULL DEFAULT 0,
  exclusion_revision bigint NOT NULL DEFAULT 0,
  directory_revision bigint NOT NULL DEFAULT 0,
  corrected_revision bigint NOT NULL DEFAULT 0,
  CONSTRAINT dataset_revisions_pkey PRIMARY KEY (brand_id, dataset, day),
  CONSTRAINT dataset_revisions_dataset CHECK (dataset = ANY (ARRAY['daily'::text, 'contents'::text, 'users'::text, 'content_engagement'::text])),
  CONSTRAINT dataset_revisions_causes CHECK (revision >= GREATEST(aggregated_revision, exclusion_revision, directory_revision, corrected_revision))
);
CREATE INDEX dataset_revisions_in_order ON analytics.dataset_revisions USING btree (brand_id, dataset, revision);

CREATE TABLE analytics.clickhouse_store (
  is_only boolean NOT NULL DEFAULT true,
  store_id uuid NOT NULL,
  has_events boolean NOT NULL,
  sealed_before bigint NOT NULL DEFAULT 0,
  CONSTRAINT clickhouse_store_pkey PRIMARY KEY (is_only),
  CONSTRAINT clickhouse_store_is_only_check CHECK (is_only)
);

CREATE TABLE analytics.event_batches (
  brand_id integer NOT NULL,
  day date NOT NULL,
  batch bigint NOT NULL,
  CONSTRAINT event_batches_pkey PRIMARY KEY (brand_id, day, batch)
);
CREATE INDEX event_batches_in_order ON analytics.event_batches USING btree (batch);

CREATE TABLE analytics.published_layers (
  brand_id integer NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  day date NOT NULL,
  generations bigint[] NOT NULL,
  CONSTRAINT published_layers_pkey PRIMARY KEY (brand_id, dataset, day),
  CONSTRAINT published_layers_dataset CHECK (dataset = ANY (ARRAY['daily'::text, 'contents'::text, 'users'::text, 'content_engagement'::text])),
  CONSTRAINT published_layers_generations CHECK (cardinality(generations) > 0)
);

CREATE TABLE analytics.generation_attempts (
  brand_id integer NOT NULL,
  generation bigint NOT NULL,
  started_at timestamptz(3) NOT NULL,
  CONSTRAINT generation_attempts_pkey PRIMARY KEY (brand_id, generation)
);

CREATE TABLE analytics.stale_layers (
  brand_id integer NOT NULL,
  generation bigint NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  day date NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT stale_layers_pkey PRIMARY KEY (brand_id, generation, dataset, day)
);
CREATE INDEX stale_layers_by_age ON analytics.stale_layers USING btree (since);

CREATE TABLE analytics.hidden_learners (
  brand_id integer NOT NULL,
  user_id bigint NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT hidden_learners_pkey PRIMARY KEY (brand_id, user_id)
);

CREATE TABLE analytics.running_totals (
  brand_id integer NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  through date NOT NULL,
  generation bigint NOT NULL,
  rows bigint NOT NULL,
  CONSTRAINT running_totals_pkey PRIMARY KEY (brand_id, dataset),
  CONSTRAINT running_totals_dataset CHECK (dataset = ANY (ARRAY['daily'::text, 'contents'::text, 'users'::text, 'content_engagement'::text])),
  CONSTRAINT running_totals_rows CHECK (rows >= 0)
);

CREATE TABLE analytics.totals_marks (
  brand_id integer NOT NULL,
  CONSTRAINT totals_marks_pkey PRIMARY KEY (brand_id)
);

CREATE OR REPLACE FUNCTION analytics.drop_events_before(p_day date)
 RETURNS date
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  first_kept date := date_trunc('month', p_day)::date;
  first_dirty date;
  partition_name text;
begin
  -- A backup holds this lock from before its snapshot: otherwise it could have the old state of event_retention without the
  -- partition.
  perform pg_advisory_xact_lock(4217734, 0);
  -- An aggregation that has read events finishes first, and one that starts now sees what remains. Nor is any transaction left
  -- that has added events and not committed their mark.
  lock table analytics.learning_events in access exclusive mode;
  select min(d.day) into first_dirty
  from analytics.brand_days d left join analytics.event_retention r on true
  where d.is_dirty and d.day < first_kept and (r.kept_since is null or d.day >= r.kept_since);
  first_kept := least(first_kept, date_trunc('month', first_dirty)::date);
  insert into analytics.event_retention (kept_since) values (first_kept)
  on conflict (is_only) do update set kept_since = greatest(analytics.event_retention.kept_since, excluded.kept_since)
  returning kept_since into first_kept;
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'analytics.learning_events'::regclass
      and c.relname ~ '^learning_events_\d{4}_\d\d$'
      and to_date(right(c.relname, 7), 'YYYY_MM') < first_kept
    order by c.relname
  loop
    execute format('drop table analytics.%I', partition_name);
  end loop;
  return first_kept;
end
$function$;

CREATE OR REPLACE FUNCTION analytics.make_event_partition(p_day date)
 RETURNS boolean
 LANGUAGE plpgsql
 SET lock_timeout TO '5s'
AS $function$
declare
  first_day date := date_trunc('month', p_day)::date;
  next_month date := (date_trunc('month', p_day) + interval '1 month')::date;
  partition_name text := 'learning_events_' || to_char(p_day, 'YYYY_MM');
begin
  -- One at a time; another process may have created it meanwhile.
  perform pg_advisory_xact_lock(4217733, 0);
  if to_regclass('analytics.' || partition_name) is not null then
    return false;
  end if;
  -- Transactions that are adding events have already chosen the default partition: they finish first, and later ones
  -- find the new partition.
  lock table only analytics.learning_events in share row exclusive mode;
  -- A reader that listed the partitions before this one exists would find its rows gone from the default partition, and would
  -- aggregate the day without them. So where rows move, readers finish first, and later ones wait.
  if exists (select from analytics.learning_events_default d where d.day >= first_day and d.day < next_month) then
    lock table only analytics.learning_events in access exclusive mode;
  end if;
  lock table analytics.learning_events_default in access exclusive mode;
  execute format('create table analytics.%I (like analytics.learning_events including defaults including constraints)',
    partition_name);
  execute format('with moved as (
      delete from analytics.learning_events_default where day >= %L and day < %L
      returning brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
        progress, score, questions, answered, time_spent_seconds, xp_earned
    )
    insert into analytics.%I (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
        progress, score, questions, answered, time_spent_seconds, xp_earned)
    select brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id,
      progress, score, questions, answered, time_spent_seconds, xp_earned from moved', first_day, next_month, partition_name);
  execute format('alter table analytics.learning_events attach partition analytics.%I for values from (%L) to (%L)',
    partition_name, first_day, next_month);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION analytics.refuse_change_of_closed_brand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('brandport.moved_brand', true) = tg_argv[0] then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' and tg_argv[1] in ('learning_events', 'event_claims') then
    -- A new partition takes its rows from the default one.
    if tg_table_name = 'learning_events_default' then
      return old;
    end if;
    -- What has become too old is dropped after the move.
    return null;
  end if;
  raise exception 'the brand % is closed', tg_argv[0] using errcode = '57B01';
end
$function$;

CREATE TABLE analytics.learning_events_2026_11 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');

CREATE TABLE analytics.learning_events_2026_12 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-12-01') TO ('2027-01-01');

CREATE TABLE analytics.learning_events_2027_01 PARTITION OF analytics.learning_events FOR VALUES FROM ('2027-01-01') TO ('2027-02-01');

INSERT INTO schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-schema', '8fa1d2239374ab58f52aaf242495ced54b15b932c02f60294d645f9345addd14', '2026-11-23 04:57:19.888183+00'),
  ('0002-client-addresses', '53f807c9bff11e1e918199981b145d9f03abb21f5df03084a9ed0fe1638ed397', '2026-11-23 04:57:19.888183+00'),
  ('0003-origins', 'ee684bdbb12da549ab368b8d314d8b59f71e430a33eb1830c1d1d13d03065ff1', '2026-11-23 04:57:19.888183+00'),
  ('0004-retention', 'af90c0f7167d251af20b820a2d1fb0d1618ca9415ff68ec23d442f68823ff42e', '2026-11-23 04:57:19.888183+00'),
  ('0005-directory-changes', '37988284d90aa8d7babd550487d2342043c2a8d6380e5f21700f823ede319e8a', '2026-11-23 04:57:19.888183+00'),
  ('0006-refused-feed-lines', '6cd4cf774b7a683b59836a86ac143c82621c0b6cbd073356cf18e5a8ca7c4c32', '2026-11-23 04:57:19.888183+00'),
  ('0007-key-usage', '7b8b488cd730f8a2c7c383463a84007c6aa663fdc332da7cd7b631743219a575', '2026-11-23 04:57:19.888183+00'),
  ('0008-sessions', '914bd1f7f11729a6d041512e737ba7187123c040337fc927c487cdf6cda027d5', '2026-11-23 04:57:19.888183+00'),
  ('0009-audit-lookups', '2eb2112db34780dbcf1a989386e39a9b69163ffd80e84656763612e7839c645c', '2026-11-23 04:57:19.888183+00'),
  ('0010-administrators', 'a0697116d14afa58beb54555e284fcd678418dcbea88b16287e2c1c04ccedd41', '2026-11-23 04:57:19.888183+00'),
  ('0011-overview', 'ddfc4aed3a5ec8725b222513bb66db8407a72bba754b77902c530cbc5dd03c14', '2026-11-23 04:57:19.888183+00'),
  ('0012-single-sign-on', 'ac917c34cd43f41b2fe5a5dff15b05f452a964d885e7267504b9515f7784fc87', '2026-11-23 04:57:19.888183+00'),
  ('0013-partitions', '7d5bf85af6cda7871b3e1b54d858c2ff688168f1868703fba723ec54597ba688', '2026-11-23 04:57:19.888183+00'),
  ('0014-cells', 'a37768d9ad969fd7ea4a7db2b33d6ac470e9a2b63608a2e24605d1334aa4feb9', '2026-11-23 04:57:19.888183+00'),
  ('0015-brand-stocks', '2eebcea3334e3a0f7105e31d0f9bdc96d412c1a26092e8dfdeeb7c0819f49f8f', '2026-11-23 04:57:19.888183+00'),
  ('0016-feed-packs', '5a804cc22b64edd91d7b4006ce66a567e4d12aecdbfbdbe88993f0c64cbbe6d3', '2026-11-23 04:57:19.888183+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/announce-partition-end', '0b31d6c6c7314d8d8a11577b947453741dcbf89c5399907279a4c53c6d6ab3b5', '6', '2026-11-23 04:57:19.888183+00'),
  ('routines/claim-idempotency-keys', 'cdcef82a46611c149f26d123a46107c07214e0687ea1c8d9a5b356fc3222dc7c', '7', '2026-11-23 04:57:19.888183+00'),
  ('routines/drop-first-partition', 'dbaaeec7f37ade666976727dc19bd13524ca617453dc1ff8e9f21471964de637', '8', '2026-11-23 04:57:19.888183+00'),
  ('routines/lock-first-partition', 'd927102154e3b2a30b79a7c5daf9236dcfc7e28f7729e4597a5b76c46ef29acd', '10', '2026-11-23 04:57:19.888183+00'),
  ('routines/lock-partitioned-table', 'bc874b20c1a32e830a4a43878cdf1c59b952d8cdf728c8a835f19893e9bbd3b0', '9', '2026-11-23 04:57:19.888183+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '11', '2026-11-23 04:57:19.888183+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '12', '2026-11-23 04:57:19.888183+00'),
  ('routines/open-next-partition', '296c56d143e8829287adc6e56850806067c866910d756ce3b30f0a719ff30977', '13', '2026-11-23 04:57:19.888183+00'),
  ('routines/refuse-change-of-closed-brand', '0cc358ec343fbe0cce7523fc236a5c06f9e40b3cbe86768b10aaf85369f16761', '14', '2026-11-23 04:57:19.888183+00'),
  ('routines/validate-partition-end', '2294e1dd1f2fa9297590e15debfc5fafad7a6c4c9340785fad3f1c2d2d534085', '15', '2026-11-23 04:57:19.888183+00'),
  ('routines/withdraw-partition-end', '280a9f96e3d290c14cf172493e172775461f8a1944f04d437390e3536995adb8', '16', '2026-11-23 04:57:19.888183+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-23 04:57:19.888183+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-23 04:57:19.888183+00'),
  ('views/stock-feed-lines', 'be1400d728848de9a61872b7063762f770ea3f8be18e7f415f2ad25477c59cb0', '3', '2026-11-23 04:57:19.888183+00'),
  ('views/table-partitions', '36617767f4753193bcb488b46a940e47b176b2ee07e7c9cc1bf334e5fe25d5f3', '4', '2026-11-23 04:57:19.888183+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '5', '2026-11-23 04:57:19.888183+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '14', '2026-11-23 04:57:19.888183+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, closed_at, exported_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-23 04:57:20.801+00', '2026-11-23 04:57:20.801+00', NULL, NULL);

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_5219d88b6cde4bf5e4479bdb', '1', E'\\xfb0b80eb3e3e3b5801b6961361765e6276f81bee9946ee56378e3b60b0ad6a94', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-23 04:57:20.887+00', NULL, NULL, '2026-11-23 04:57:20.865+00', NULL, NULL, 'false'),
  ('1', '2', 'tuk_fe5d222697bae9c913f416d9', '1', E'\\x2f049779af46ed7b7d58dda2af2b6c699302c2ca59ac1a4812444d2ca515ecf5', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_5219d88b6cde4bf5e4479bdb', '2026-11-23 04:57:21.291+00', '2026-11-23 04:57:20.888+00', NULL, '127.0.0.1/32', 'false'),
  ('1', '3', 'tuk_4148c012b684ccba6595553d', '1', E'\\x44745a1aa5cc89921ef3d7ee0580517aa4313496c0e657efde7095e5824ac028', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-23 04:57:20.902+00', 'tuk_fe5d222697bae9c913f416d9', NULL, 'false');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\xdff7f442d7830d0cad6cc1af9ec76c4e805d4fb000b49be42978804d2cf5fba1', 'RAmo', 'ERP', NULL, '2026-11-23 04:57:20.921+00', NULL, 'false');

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '00b9087a73fc6ee7', E'\\x0105f281d67873c210a8451fc71eff38b70fd7be77953ae6a28bdcd26cc4f842', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"CL_NUi76XnWu8g1p4MLJy","variant_tu_id":"u09l0m90Gj6R-nuVO6zpw","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-23T04:57:21.181Z","updated_at":"2026-11-23T04:57:21.181Z"},"movement":{"id":5,"product_tu_id":"CL_NUi76XnWu8g1p4MLJy","variant_tu_id":"u09l0m90Gj6R-nuVO6zpw","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_fe5d222697bae9c913f416d9","created_at":"2026-11-23T04:57:21.181Z"}}', '2026-11-23 04:57:21.182+00', 'POST', '/v1/client/catalog/products/CL_NUi76XnWu8g1p4MLJy/stock/adjust', 'tuk_fe5d222697bae9c913f416d9', '84b755ef-a936-4aa6-9678-42f64b42b693'),
  ('1', '1', '061b47adf57658f2', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"CL_NUi76XnWu8g1p4MLJy","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T04:57:21.087Z","updated_at":"2026-11-23T04:57:21.087Z","axes":[],"variants":[]}', '2026-11-23 04:57:21.088+00', 'POST', '/v1/client/catalog/products', 'tuk_fe5d222697bae9c913f416d9', 'f074ac67-d325-41b6-a888-ea437195b091'),
  ('1', '1', '244b277098a1739a', E'\\x0621e6058de8810d4538dc8e57607bde154cc519aa9f3c0261232b5840cedd5b', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-23T04:57:21.064Z","updated_at":"2026-11-23T04:57:21.064Z"},"movement":{"id":3,"product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_fe5d222697bae9c913f416d9","created_at":"2026-11-23T04:57:21.064Z"}}', '2026-11-23 04:57:21.065+00', 'POST', '/v1/client/catalog/products/qHnnXO7bTOdvX4yM3o7GQ/stock/adjust', 'tuk_fe5d222697bae9c913f416d9', 'a3b4c5b2-7421-4771-a75f-5c5b4c75645a'),
  ('1', '1', '274132f7e9bc88fd', E'\\x91509eb6a538c556c71c84e7aa7b770d9ea5c8cd71768941bd28ee560dccdc7b', '201', '{}', '{"tu_id":"u09l0m90Gj6R-nuVO6zpw","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"CL_NUi76XnWu8g1p4MLJy","created_at":"2026-11-23T04:57:21.139Z","updated_at":"2026-11-23T04:57:21.139Z"}', '2026-11-23 04:57:21.143+00', 'POST', '/v1/client/catalog/products/CL_NUi76XnWu8g1p4MLJy/variants', 'tuk_fe5d222697bae9c913f416d9', 'b106eb5b-528a-4391-a31f-1720316281f6'),
  ('1', '1', '3edbe455423320fe', E'\\x5c950b0a1dbbfee88ff3b62cb8090d0b0a9b3911e8104737784b44a9fa469cc8', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-23T04:57:21.056Z","updated_at":"2026-11-23T04:57:21.056Z"},"movement":{"id":2,"product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_fe5d222697bae9c913f416d9","created_at":"2026-11-23T04:57:21.056Z"}}', '2026-11-23 04:57:21.058+00', 'POST', '/v1/client/catalog/products/qHnnXO7bTOdvX4yM3o7GQ/stock/adjust', 'tuk_fe5d222697bae9c913f416d9', '63d5de45-5fb4-485e-9392-4749b0e9d4fb'),
  ('1', '1', '8c2b646e532523c7', E'\\x451ca535ca17213625c5092a8114f8abc33ec29473470c76c0aa75a4a62b1352', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-23T04:57:21.045Z","updated_at":"2026-11-23T04:57:21.045Z"},"movement":{"id":1,"product_tu_id":"qHnnXO7bTOdvX4yM3o7GQ","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-23T04:57:21.045Z"}}', '2026-11-23 04:57:21.048+00', 'POST', '/v1/client/catalog/products/qHnnXO7bTOdvX4yM3o7GQ/stock/adjust', 'tuk_fe5d222697bae9c913f416d9', 'de499480-fad5-4e92-82c2-e14c3fa23f87'),
  ('1', '1', 'aaea09b68f0ec967', E'\\x2396367b927c5b1191a1c17097aa2628f2c6d8b6d24b1f3f2d063a0dfe2cbd43', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"CL_NUi76XnWu8g1p4MLJy","variant_tu_id":"Tk4NYiFTNN8KZSXwf45-W","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-23T04:57:21.150Z","updated_at":"2026-11-23T04:57:21.150Z"},"movement":{"id":4,"product_tu_id":"CL_NUi76XnWu8g1p4MLJy","variant_tu_id":"Tk4NYiFTNN8KZSXwf45-W","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_fe5d222697bae9c913f416d9","created_at":"2026-11-23T04:57:21.150Z"}}', '2026-11-23 04:57:21.152+00', 'POST', '/v1/client/catalog/products/CL_NUi76XnWu8g1p4MLJy/stock/adjust', 'tuk_fe5d222697bae9c913f416d9', '269cf418-401c-4b94-afef-845dfdeca739'),
  ('1', '1', 'd0cf29164365342f', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"qHnnXO7bTOdvX4yM3o7GQ","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T04:57:21.004Z","updated_at":"2026-11-23T04:57:21.004Z","axes":[],"variants":[]}', '2026-11-23 04:57:21.007+00', 'POST', '/v1/client/catalog/products', 'tuk_fe5d222697bae9c913f416d9', '5d9796bd-61c6-4d63-815c-fcdd6cae712b'),
  ('1', '1', 'de7609a1429a9bbe', E'\\x264be4a600fa77c5630d7f84c0d9d59578719d3e4972178fff4ec8dae72d9902', '201', '{}', '{"tu_id":"Tk4NYiFTNN8KZSXwf45-W","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"CL_NUi76XnWu8g1p4MLJy","created_at":"2026-11-23T04:57:21.128Z","updated_at":"2026-11-23T04:57:21.128Z"}', '2026-11-23 04:57:21.134+00', 'POST', '/v1/client/catalog/products/CL_NUi76XnWu8g1p4MLJy/variants', 'tuk_fe5d222697bae9c913f416d9', 'a9bbafcb-0f10-40d7-b700-cdcabe126558'),
  ('1', '1', 'f3f52b2520724865', E'\\x8f42ea50bf7e8df0f19e8d6742a433fb2c54525e190497b10f66659a1225c8ae', '201', '{}', '{"tu_id":"mBoWzt00pCR7YEDqlrFhv","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"CL_NUi76XnWu8g1p4MLJy","created_at":"2026-11-23T04:57:21.115Z","updated_at":"2026-11-23T04:57:21.115Z"}', '2026-11-23 04:57:21.123+00', 'POST', '/v1/client/catalog/products/CL_NUi76XnWu8g1p4MLJy/variants', 'tuk_fe5d222697bae9c913f416d9', 'eba4ef4d-9f44-4f46-9743-54a59fdc3e44');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-23 04:57:21.208+00', '2', '1', '1', '0', '1795409840803');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'CL_NUi76XnWu8g1p4MLJy'),
  ('1', 'PARENT-L', 'variant', 'u09l0m90Gj6R-nuVO6zpw'),
  ('1', 'PARENT-M', 'variant', 'Tk4NYiFTNN8KZSXwf45-W'),
  ('1', 'PARENT-S', 'variant', 'mBoWzt00pCR7YEDqlrFhv'),
  ('1', 'SIMPLE', 'product', 'qHnnXO7bTOdvX4yM3o7GQ');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'qHnnXO7bTOdvX4yM3o7GQ', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-23 04:57:21.004+00', '2026-11-23 04:57:21.024+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'CL_NUi76XnWu8g1p4MLJy', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-23 04:57:21.087+00', '2026-11-23 04:57:21.208+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-23 04:57:21.076+00', '2026-11-23 04:57:21.076+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-23 04:57:21.076+00', '2026-11-23 04:57:21.076+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-23 04:57:21.076+00', '2026-11-23 04:57:21.076+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-23 04:57:21.076+00', '2026-11-23 04:57:21.076+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'mBoWzt00pCR7YEDqlrFhv', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-23 04:57:21.115+00', '2026-11-23 04:57:21.115+00'),
  ('1', '2', '2', 'Tk4NYiFTNN8KZSXwf45-W', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-23 04:57:21.128+00', '2026-11-23 04:57:21.128+00'),
  ('1', '3', '2', 'u09l0m90Gj6R-nuVO6zpw', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-23 04:57:21.208+00', '2026-11-23 04:57:21.139+00', '2026-11-23 04:57:21.208+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-23 04:57:20.964+00', '2026-11-23 04:57:20.964+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-23 04:57:20.977+00', '2026-11-23 04:57:20.977+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-23 04:57:21.151+00', '2026-11-23 04:57:21.151+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-23 04:57:21.056+00', 'false', '2026-11-23 04:57:21.056+00'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-23 04:57:21.064+00', 'false', '2026-11-23 04:57:21.064+00'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-23 04:57:21.15+00', 'false', '2026-11-23 04:57:21.15+00'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-23 04:57:21.181+00', 'false', '2026-11-23 04:57:21.214+00'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-23 04:57:21.235+00', 'true', '2026-11-23 04:57:21.277+00');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-23 04:57:21.045+00', 'tuk_fe5d222697bae9c913f416d9', 'de499480-fad5-4e92-82c2-e14c3fa23f87', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_fe5d222697bae9c913f416d9', '2026-11-23 04:57:21.056+00', 'tuk_fe5d222697bae9c913f416d9', '63d5de45-5fb4-485e-9392-4749b0e9d4fb', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_fe5d222697bae9c913f416d9', '2026-11-23 04:57:21.064+00', 'tuk_fe5d222697bae9c913f416d9', 'a3b4c5b2-7421-4771-a75f-5c5b4c75645a', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_fe5d222697bae9c913f416d9', '2026-11-23 04:57:21.15+00', 'tuk_fe5d222697bae9c913f416d9', '269cf418-401c-4b94-afef-845dfdeca739', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_fe5d222697bae9c913f416d9', '2026-11-23 04:57:21.181+00', 'tuk_fe5d222697bae9c913f416d9', '84b755ef-a936-4aa6-9678-42f64b42b693', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:BAro43GuC6U7LaUKSd0Jv', '2026-11-23 04:57:21.277+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'BAro43GuC6U7LaUKSd0Jv', 'e2c1b0a68cff414d', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-23 04:57:21.235+00', '2026-11-23 04:57:21.283+00', '2026-11-23 04:57:21.283+00', NULL, 'tuk_fe5d222697bae9c913f416d9', '7673296b-192f-4240-af75-c324055847ad', NULL);

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-23 04:57:21.303+00', '2026-11-23 04:57:21.303+00'),
  ('1', '2', 'south', NULL, '2026-11-23 04:57:21.303+00', '2026-11-23 04:57:21.303+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-23 04:57:21.317+00', '2026-11-23 04:57:21.319+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-23 04:57:21.339+00', '2026-11-23 04:57:21.339+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-23 04:57:21.339+00', '2026-11-23 04:57:21.339+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-23 04:57:21.339+00', '2026-11-23 04:57:21.339+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-23 04:57:21.613+00');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-23 04:57:21.362+00', '2026-11-23 04:57:21.362+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-23 04:57:21.362+00', '2026-11-23 04:57:21.362+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-23 04:57:21.373+00', '2026-11-23 04:57:21.373+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-23 04:57:21.615+00', '3', '2020-01-01');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-23 04:57:21.614+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-23 04:57:21.235+00');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'getStockFeedReport', 'catalog.stock:read', '2', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-23 04:00:00+00', 'tuk_fe5d222697bae9c913f416d9', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_edfcb9b14a686217915e1ff1', E'\\xfa03fb8d9d358b0192b042e005f0367106449d08c3b23886e5437dac03af706b', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-23 04:57:20.937+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\x6a5a89cc3f3930eb518e8b5eda064f51bf4afe25d8c31cad50ead52b304d7b37', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-23 04:57:20.946+00', '2026-11-23 04:57:20.946+00', '2026-11-23 16:57:20.946+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 04:57:20.808+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', '05a3e70b-1a17-48cb-a35c-5ca966ae58ea', NULL),
  ('10', '2026-11-23 04:57:21.344+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'brandport', NULL, NULL, NULL),
  ('11', '2026-11-23 04:57:21.365+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '6dbb03ec-6eaa-4be2-a801-45541302e974', NULL),
  ('12', '2026-11-23 04:57:21.493+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-14/2026-10-15', '{"days": 2}', 'admin-token', '127.0.0.1/32', '627fa616-4ba5-43c5-9d1e-d3ffa806e825', NULL),
  ('2', '2026-11-23 04:57:20.871+00', 'api_key.create', '1', 'api_key', 'tuk_5219d88b6cde4bf5e4479bdb', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '5269bd85-1a8e-48a5-926e-8b8c2c55eccc', NULL),
  ('3', '2026-11-23 04:57:20.889+00', 'api_key.rotate', '1', 'api_key', 'tuk_5219d88b6cde4bf5e4479bdb', '{"successor_key_id": "tuk_fe5d222697bae9c913f416d9"}', 'admin-token', '127.0.0.1/32', '8cf34dd0-f9c9-47e7-86f2-c3081ada0f9c', NULL),
  ('4', '2026-11-23 04:57:20.907+00', 'api_key.create', '1', 'api_key', 'tuk_4148c012b684ccba6595553d', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_fe5d222697bae9c913f416d9"}', 'admin-token', '127.0.0.1/32', 'f8c26872-0088-403e-8715-555195bbbbba', NULL),
  ('5', '2026-11-23 04:57:20.922+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '9fa85b90-0d6f-45c8-829c-c66539d6fff2', NULL),
  ('6', '2026-11-23 04:57:20.938+00', 'administrator.create', NULL, 'administrator', 'bpa_edfcb9b14a686217915e1ff1', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', '9142afca-ecc0-444d-8127-67eb6429eda7', NULL),
  ('7', '2026-11-23 04:57:20.951+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-23T16:57:20.946Z"}', 'admin-token', '127.0.0.1/32', 'a0985e30-4228-4b17-8779-1458ea8d8285', NULL),
  ('8', '2026-11-23 04:57:21.306+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', 'f2426f00-0791-4c89-8ec6-3b8b9082d84e', NULL),
  ('9', '2026-11-23 04:57:21.32+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '48759736-3374-4e21-b747-4144cebe8317', NULL);

INSERT INTO cell (is_only, name) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-23 04:57:21.262+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-23 04:57:21.045+00', '{1}'),
  ('1', '2', '2026-11-23 04:57:21.056+00', '{1}'),
  ('1', '3', '2026-11-23 04:57:21.064+00', '{2}'),
  ('1', '4', '2026-11-23 04:57:21.15+00', '{3}'),
  ('1', '5', '2026-11-23 04:57:21.181+00', '{4}'),
  ('1', '6', '2026-11-23 04:57:21.214+00', '{4}');

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-23 04:57:21.235+00","2020-01-01 00:00:00+00","2026-11-23 04:57:21.235+00"}', 'apk');

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-schema', '12be7261896a0d8c3e42fe516701d0bc4f6b9e86767813f97525ce35875c3845', '2026-11-23 04:57:20.251559+00'),
  ('0002-revision-causes', 'c58d17cea9e488c0c29283554bba3058fdb5adfa5d82209de093b929daf17427', '2026-11-23 04:57:20.251559+00'),
  ('0003-late-events', '5520b229c861d75a991d59a2450048d41897fd92fefae2bcaa6423ab18d320ab', '2026-11-23 04:57:20.251559+00'),
  ('0004-clickhouse-coordination', '8e92ae3a314108ba04ee8ce1eef55bda36ebc3f87ec3e9ea40d93352f1e64ea9', '2026-11-23 04:57:20.251559+00'),
  ('0005-running-totals', 'b729884023eba60bef617ce2625ac3f111f80705e91f991c96ad25745bf6d312', '2026-11-23 04:57:20.251559+00'),
  ('0006-totals-marks', '19d50c2d9926bf194fb29c76cb51ce2db9ca57cdedbae115762d0bb856c37c04', '2026-11-23 04:57:20.251559+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-23 04:57:20.251559+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-23 04:57:20.251559+00'),
  ('routines/refuse-change-of-closed-brand', '88e176304004fe2d8da548149051339b7805b84295b28fa3eb397913e2c9fb28', '3', '2026-11-23 04:57:20.251559+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '6', '2026-11-23 04:57:20.251559+00');

INSERT INTO analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-14', 'ann-0', '2026-10-14 10:00:00+00', 'completion', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-14', 'ben-0', '2026-10-14 10:00:00+00', 'completion', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-15', 'ann-1', '2026-10-15 10:00:00+00', 'view', '1', '3', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-15', 'ben-1', '2026-10-15 10:00:00+00', 'view', '2', '3', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-22', 'ann-2', '2026-11-22 10:00:00+00', 'view', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-22', 'ben-2', '2026-11-22 10:00:00+00', 'view', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0');

INSERT INTO analytics.event_claims (brand_id, event_id, day) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'ann-0', '2026-10-14'),
  ('1', 'ann-1', '2026-10-15'),
  ('1', 'ann-2', '2026-11-22'),
  ('1', 'ben-0', '2026-10-14'),
  ('1', 'ben-1', '2026-10-15'),
  ('1', 'ben-2', '2026-11-22');

INSERT INTO analytics.brand_days (brand_id, day, aggregated_at, changes, aggregated_changes, row_counts, events, aggregated_events) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-14', '2026-11-23 04:57:21.429+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-15', '2026-11-23 04:57:21.429+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-11-22', NULL, '1', '0', '{}', '2', '0');

INSERT INTO analytics.event_retention (is_only, kept_since) OVERRIDING SYSTEM VALUE VALUES
  ('true', '2020-01-01');

INSERT INTO analytics.daily (brand_id, day, market_id, live_episodes, live_programs, live_quests, live_products, active_users, views, completions, successes, xp_earned, time_spent_seconds, episode_views, episode_completions, episode_successes, episode_time_spent_seconds, episode_progress_sum, episode_progress_count, episode_score_sum, episode_score_count, program_views, program_completions, program_successes, program_time_spent_seconds, program_progress_sum, program_progress_count, program_score_sum, program_score_count, quest_views, quest_completions, quest_successes, quest_time_spent_seconds, quest_progress_sum, quest_progress_count, quest_score_sum, quest_score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-14', '0', '1', '0', '0', '1', '2', '0', '2', '0', '0', '120', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '0', '0'),
  ('1', '2026-10-14', '1', '1', '0', '0', '1', '1', '0', '1', '0', '0', '60', '0', '1', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0'),
  ('1', '2026-10-14', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2026-10-15', '0', '1', '0', '0', '1', '2', '2', '0', '0', '0', '120', '2', '0', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '2', '0', '0'),
  ('1', '2026-10-15', '1', '1', '0', '0', '1', '1', '1', '0', '0', '0', '60', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '0'),
  ('1', '2026-10-15', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.contents (brand_id, content_ref_id, day, content_type, total_users, views, unique_views, completions, successes, active_users, xp_earned, time_spent_seconds, questions, progress_sum, progress_count, score_sum, score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_progress_sum, cumulative_progress_count, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-14', 'episode', '2', '0', '0', '2', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0'),
  ('1', '3', '2026-10-15', 'episode', '2', '2', '2', '0', '0', '2', '0', '120', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.users (brand_id, user_id, day, views, completions, successes, xp_earned, time_spent_seconds, score_sum, score_count, episode_views, episode_completions, episode_successes, program_views, program_completions, program_successes, quest_views, quest_completions, quest_successes, cumulative_views, cumulative_completions, cumulative_successes, cumulative_episode_views, cumulative_episode_completions, cumulative_episode_successes, cumulative_program_views, cumulative_program_completions, cumulative_program_successes, cumulative_quest_views, cumulative_quest_completions, cumulative_quest_successes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-14', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '1', '2026-10-15', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-14', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-15', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.content_engagement (brand_id, content_ref_id, day, user_id, content_type, views, completions, successes, xp_earned, time_spent_seconds, questions, answered, score_sum, score_count, cumulative_views, cumulative_xp_earned, cumulative_time_spent_seconds, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-14', '1', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '1', '2026-10-14', '2', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '3', '2026-10-15', '1', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0'),
  ('1', '3', '2026-10-15', '2', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0');

INSERT INTO analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at, aggregated_revision, exclusion_revision, directory_revision, corrected_revision) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-14', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-15', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-14', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-15', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-14', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-15', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-14', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-15', '1', '2026-11-23 04:57:21.429+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_layers (brand_id, dataset, day, generations) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '{8,9}');

INSERT INTO analytics.generation_attempts (brand_id, generation, started_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '10', '2026-11-23 04:57:21.612+00');

INSERT INTO analytics.stale_layers (brand_id, generation, dataset, day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', 'daily', '2026-01-01', '2026-11-23 04:57:21.612+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-23 04:57:21.612+00');

INSERT INTO analytics.running_totals (brand_id, dataset, through, generation, rows) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '10', '1');

INSERT INTO analytics.totals_marks (brand_id) OVERRIDING SYSTEM VALUE VALUES
  ('1');

SELECT setval('public.administrators_id_seq', 1);

SELECT setval('public.api_keys_id_seq', 3);

SELECT setval('public.audit_entries_id_seq', 12);

SELECT setval('public.axes_id_seq', 1);

SELECT setval('public.axis_values_id_seq', 3);

SELECT setval('public.brands_id_seq', 1);

SELECT setval('public.console_sessions_id_seq', 1);

SELECT setval('public.contents_id_seq', 4);

SELECT setval('public.directory_changes_id_seq', 1);

SELECT setval('public.feed_tokens_id_seq', 1);

SELECT setval('public.learner_returns_id_seq', 1);

SELECT setval('public.learners_id_seq', 3);

SELECT setval('public.markets_id_seq', 2);

SELECT setval('public.points_of_sale_id_seq', 1);

SELECT setval('public.products_id_seq', 2);

SELECT setval('public.stock_feeds_id_seq', 1);

SELECT setval('public.stock_levels_id_seq', 5);

SELECT setval('public.stock_locations_id_seq', 3);

SELECT setval('public.stock_movements_id_seq', 6);

SELECT setval('public.variants_id_seq', 3);
