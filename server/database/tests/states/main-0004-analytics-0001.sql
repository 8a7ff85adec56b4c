-- Generated; see states.test.ts.

CREATE VIEW audit_partitions AS
 SELECT c.relname::text AS name,
    "substring"(b.bound, 'FROM \(''([^'']+)'''::text)::timestamp with time zone AS begins_at,
    "substring"(b.bound, 'TO \(''([^'']+)'''::text)::timestamp with time zone AS ends_before
   FROM pg_class t
     JOIN pg_inherits i ON i.inhparent = t.oid
     JOIN pg_class c ON c.oid = i.inhrelid
     CROSS JOIN LATERAL ( SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
  WHERE t.relname = 'audit_entries'::name AND t.relnamespace = 'public'::regnamespace::oid AND b.bound <> 'DEFAULT'::text;

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

CREATE TABLE analytics.learning_events_2026_11 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');

CREATE TABLE analytics.learning_events_2026_12 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-12-01') TO ('2027-01-01');

CREATE TABLE analytics.learning_events_2027_01 PARTITION OF analytics.learning_events FOR VALUES FROM ('2027-01-01') TO ('2027-02-01');

CREATE TABLE audit_entries_2026_11 PARTITION OF audit_entries FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

CREATE TABLE audit_entries_2026_12 PARTITION OF audit_entries FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

CREATE TABLE audit_entries_2027_01 PARTITION OF audit_entries FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');

INSERT INTO schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-26 14:55:59.772408+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-26 14:55:59.772408+00'),
  ('0003-refusals-limits-and-alerts', 'c1b86a17c451e4833d0bb63bc906f7eff6f375d949f26470d5375e1093b3f833', '2026-11-26 14:55:59.772408+00'),
  ('0004-drop-withdrawn-features', '110984189ed4e6d8b286bd6956ae530bd78ab12f9a6d86668b2885ad3262d07d', '2026-11-26 14:55:59.772408+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/claim-idempotency-keys', 'cdcef82a46611c149f26d123a46107c07214e0687ea1c8d9a5b356fc3222dc7c', '6', '2026-11-26 14:55:59.772408+00'),
  ('routines/drop-audit-partition', '9725262c58cc8c3712cfc943a972a7dae5dbfca238ba9283b56d7af3fa265303', '8', '2026-11-26 14:55:59.772408+00'),
  ('routines/lock-audit', '42579bc1ae2d8628b456ffb34922438ef03f2fce44c0b763c39818e8f271086d', '7', '2026-11-26 14:55:59.772408+00'),
  ('routines/make-audit-partition', '043ca86a8f32a9d06443997ed50b8880524424c541ef675ea24334229fce7e3b', '9', '2026-11-26 14:55:59.772408+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '10', '2026-11-26 14:55:59.772408+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '11', '2026-11-26 14:55:59.772408+00'),
  ('views/audit-partitions', 'ce3b89f09131e142476c3ec5e0ed3702d77a688ea33613d131537f79d5c0af08', '1', '2026-11-26 14:55:59.772408+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '2', '2026-11-26 14:55:59.772408+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '3', '2026-11-26 14:55:59.772408+00'),
  ('views/stock-feed-lines', 'be1400d728848de9a61872b7063762f770ea3f8be18e7f415f2ad25477c59cb0', '4', '2026-11-26 14:55:59.772408+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '5', '2026-11-26 14:55:59.772408+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '18', '2026-11-26 14:55:59.772408+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-26 14:56:01.512+00', '2026-11-26 14:56:01.512+00', '{"until": null, "limits": {"catalog_brand": 9000}}');

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, last_refused_at, last_refused_code, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_e228d82d2fcd598a14e57d36', '1', E'\\x60abf765e55f88d85a98fdc8cc482df14e5a193dbe0bbb71e4162e7f48a9366e', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-26 14:56:01.624+00', NULL, NULL, '2026-11-26 14:56:01.596+00', NULL, NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '2', 'tuk_3ec261ff83b1689cef33c864', '1', E'\\x7e03924f301162784ec30f807af36c19245be5439c5c2c1fc05128484289f028', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_e228d82d2fcd598a14e57d36', '2026-11-26 14:56:02.154+00', '2026-11-26 14:56:01.626+00', NULL, '127.0.0.1/32', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '3', 'tuk_58fb1c306873ae62f5446d5a', '1', E'\\x9fbdc0d2de2481922852b4956dad837085f883531c1097c10f29768dbb868a12', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-26 14:56:01.674+00', 'tuk_3ec261ff83b1689cef33c864', NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x109847c3a733363ee3f68166cab576d2914ee0325b9ef980b4d66fb7096d966b', 'vZNP', 'ERP', NULL, '2026-11-26 14:56:01.691+00', NULL);

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '00c5dbc9891f2ca6', E'\\x8cd1ed4043b8f1073d0ff47b01224396a9e9ae3d4575d87d98954881e5afc0e0', '201', '{}', '{"tu_id":"jtvCg5u7VjRfqGPAvksua","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"UMhUDxRHJKc6vvux2vsKs","created_at":"2026-11-26T14:56:02.017Z","updated_at":"2026-11-26T14:56:02.017Z"}', '2026-11-26 14:56:02.019+00', 'POST', '/v1/client/catalog/products/UMhUDxRHJKc6vvux2vsKs/variants', 'tuk_3ec261ff83b1689cef33c864', '2465d1f2-ae1a-4a54-b4f5-32cb4501ba54'),
  ('1', '1', '096c5fd230dfe88d', E'\\xf4860e043999d14ce238006adda76d101824e259ef0af096b557e67ebdffc4ac', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-26T14:56:01.920Z","updated_at":"2026-11-26T14:56:01.920Z"},"movement":{"id":3,"product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_3ec261ff83b1689cef33c864","created_at":"2026-11-26T14:56:01.920Z"}}', '2026-11-26 14:56:01.921+00', 'POST', '/v1/client/catalog/products/xxSrAtuUVXL7GerFM10Uy/stock/adjust', 'tuk_3ec261ff83b1689cef33c864', 'ce41bc59-8d33-47b1-a4bf-9f2e1a7e8a24'),
  ('1', '1', '3d726bb9cef31053', E'\\xc546d935c5cdf639cdca5ea734d10d069b9541103abfae7fa3a1ec80395889f8', '201', '{}', '{"tu_id":"o7HD2gF3OK_tJGEc3rMI7","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"UMhUDxRHJKc6vvux2vsKs","created_at":"2026-11-26T14:56:01.995Z","updated_at":"2026-11-26T14:56:01.995Z"}', '2026-11-26 14:56:01.999+00', 'POST', '/v1/client/catalog/products/UMhUDxRHJKc6vvux2vsKs/variants', 'tuk_3ec261ff83b1689cef33c864', '9d6a2d23-b6c5-4051-8c6c-710f92dc668b'),
  ('1', '1', '6b8443105527dafa', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"xxSrAtuUVXL7GerFM10Uy","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-26T14:56:01.794Z","updated_at":"2026-11-26T14:56:01.794Z","axes":[],"variants":[]}', '2026-11-26 14:56:01.801+00', 'POST', '/v1/client/catalog/products', 'tuk_3ec261ff83b1689cef33c864', 'bc95de11-5e23-45a1-b04e-01512c5d00b4'),
  ('1', '1', '75b416b7f6a31c62', E'\\x952aa6852491fec42b34cecb3bfe37c99e0a05f6c00b34fc24acbe164af5409d', '201', '{}', '{"tu_id":"e9w0Y77wdiV1TPy2JqvN6","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"UMhUDxRHJKc6vvux2vsKs","created_at":"2026-11-26T14:56:02.032Z","updated_at":"2026-11-26T14:56:02.032Z"}', '2026-11-26 14:56:02.033+00', 'POST', '/v1/client/catalog/products/UMhUDxRHJKc6vvux2vsKs/variants', 'tuk_3ec261ff83b1689cef33c864', 'f6865992-fb2e-4dd1-bcc5-457ab2ddea85'),
  ('1', '1', '899710687230bc34', E'\\x51199d7396a15020823c744fbdca25ec5e75d3ba8aec797f1a6bb0c201131768', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"UMhUDxRHJKc6vvux2vsKs","variant_tu_id":"e9w0Y77wdiV1TPy2JqvN6","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-26T14:56:02.062Z","updated_at":"2026-11-26T14:56:02.062Z"},"movement":{"id":5,"product_tu_id":"UMhUDxRHJKc6vvux2vsKs","variant_tu_id":"e9w0Y77wdiV1TPy2JqvN6","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_3ec261ff83b1689cef33c864","created_at":"2026-11-26T14:56:02.062Z"}}', '2026-11-26 14:56:02.063+00', 'POST', '/v1/client/catalog/products/UMhUDxRHJKc6vvux2vsKs/stock/adjust', 'tuk_3ec261ff83b1689cef33c864', '297e3bf2-12af-466c-be3d-f54c1f48d6a2'),
  ('1', '1', '8bb8b28d74110477', E'\\x168fd9289f968904cdf6217b908f5f4cf3f41f30c80298a12388742f994e9b22', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-26T14:56:01.904Z","updated_at":"2026-11-26T14:56:01.904Z"},"movement":{"id":2,"product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_3ec261ff83b1689cef33c864","created_at":"2026-11-26T14:56:01.904Z"}}', '2026-11-26 14:56:01.907+00', 'POST', '/v1/client/catalog/products/xxSrAtuUVXL7GerFM10Uy/stock/adjust', 'tuk_3ec261ff83b1689cef33c864', '15e6607b-1994-42b1-b245-408c9b5eea73'),
  ('1', '1', '9cc76095728abe39', E'\\x51d45c4b97292f2ec6f2b20a6260755e430138cb9a40cb963f18320d1afe2b1f', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-26T14:56:01.884Z","updated_at":"2026-11-26T14:56:01.884Z"},"movement":{"id":1,"product_tu_id":"xxSrAtuUVXL7GerFM10Uy","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-26T14:56:01.884Z"}}', '2026-11-26 14:56:01.89+00', 'POST', '/v1/client/catalog/products/xxSrAtuUVXL7GerFM10Uy/stock/adjust', 'tuk_3ec261ff83b1689cef33c864', '19be8285-a10f-4bfc-841a-0960ea652e25'),
  ('1', '1', 'afa097ef5d6da60a', E'\\x8f93b79511f21c962ed3f0c88d410db7a2c9431dd16d82204ebe213ae2868554', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"UMhUDxRHJKc6vvux2vsKs","variant_tu_id":"jtvCg5u7VjRfqGPAvksua","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-26T14:56:02.048Z","updated_at":"2026-11-26T14:56:02.048Z"},"movement":{"id":4,"product_tu_id":"UMhUDxRHJKc6vvux2vsKs","variant_tu_id":"jtvCg5u7VjRfqGPAvksua","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_3ec261ff83b1689cef33c864","created_at":"2026-11-26T14:56:02.048Z"}}', '2026-11-26 14:56:02.05+00', 'POST', '/v1/client/catalog/products/UMhUDxRHJKc6vvux2vsKs/stock/adjust', 'tuk_3ec261ff83b1689cef33c864', '329a4cff-6067-4f55-9177-461f1d6c0ad3'),
  ('1', '1', 'df449d137dc47fb3', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"UMhUDxRHJKc6vvux2vsKs","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-26T14:56:01.957Z","updated_at":"2026-11-26T14:56:01.957Z","axes":[],"variants":[]}', '2026-11-26 14:56:01.958+00', 'POST', '/v1/client/catalog/products', 'tuk_3ec261ff83b1689cef33c864', '961cd647-75ee-49fd-8dea-99481f8e3d73');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-26 14:00:00+00', '', 'postLearningEvents', NULL, '6', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'getStockFeedReport', 'catalog.stock:read', '2', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-26 14:00:00+00', 'tuk_3ec261ff83b1689cef33c864', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_f90886e80de1673322c93804', E'\\x2643e5417931c6f358aadfaa98fd4d6cb0ba5837b90e9e3428090488966b081b', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-26 14:56:01.713+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\x8e084ab8ff130d978ff6accc64854ff5d3c4ac5c592195ba27500bb0ea102543', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-26 14:56:01.722+00', '2026-11-26 14:56:01.722+00', '2026-11-27 02:56:01.722+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-26 14:56:02.075+00', '2', '1', '1', '0', '1795704961514');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'UMhUDxRHJKc6vvux2vsKs'),
  ('1', 'PARENT-L', 'variant', 'e9w0Y77wdiV1TPy2JqvN6'),
  ('1', 'PARENT-M', 'variant', 'jtvCg5u7VjRfqGPAvksua'),
  ('1', 'PARENT-S', 'variant', 'o7HD2gF3OK_tJGEc3rMI7'),
  ('1', 'SIMPLE', 'product', 'xxSrAtuUVXL7GerFM10Uy');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'xxSrAtuUVXL7GerFM10Uy', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-26 14:56:01.794+00', '2026-11-26 14:56:01.85+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'UMhUDxRHJKc6vvux2vsKs', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-26 14:56:01.957+00', '2026-11-26 14:56:02.075+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-26 14:56:01.941+00', '2026-11-26 14:56:01.941+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-26 14:56:01.941+00', '2026-11-26 14:56:01.941+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-26 14:56:01.941+00', '2026-11-26 14:56:01.941+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-26 14:56:01.941+00', '2026-11-26 14:56:01.941+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'o7HD2gF3OK_tJGEc3rMI7', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-26 14:56:01.995+00', '2026-11-26 14:56:01.995+00'),
  ('1', '2', '2', 'jtvCg5u7VjRfqGPAvksua', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-26 14:56:02.017+00', '2026-11-26 14:56:02.017+00'),
  ('1', '3', '2', 'e9w0Y77wdiV1TPy2JqvN6', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-26 14:56:02.075+00', '2026-11-26 14:56:02.032+00', '2026-11-26 14:56:02.075+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-26 14:56:01.739+00', '2026-11-26 14:56:01.739+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-26 14:56:01.756+00', '2026-11-26 14:56:01.756+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-26 14:56:02.048+00', '2026-11-26 14:56:02.048+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-26 14:56:01.904+00', 'false', '2026-11-26 14:56:01.904+00'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-26 14:56:01.92+00', 'false', '2026-11-26 14:56:01.92+00'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-26 14:56:02.048+00', 'false', '2026-11-26 14:56:02.048+00'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-26 14:56:02.062+00', 'false', '2026-11-26 14:56:02.08+00'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-26 14:56:02.092+00', 'true', '2026-11-26 14:56:02.121+00');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-26 14:56:01.884+00', 'tuk_3ec261ff83b1689cef33c864', '19be8285-a10f-4bfc-841a-0960ea652e25', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_3ec261ff83b1689cef33c864', '2026-11-26 14:56:01.904+00', 'tuk_3ec261ff83b1689cef33c864', '15e6607b-1994-42b1-b245-408c9b5eea73', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_3ec261ff83b1689cef33c864', '2026-11-26 14:56:01.92+00', 'tuk_3ec261ff83b1689cef33c864', 'ce41bc59-8d33-47b1-a4bf-9f2e1a7e8a24', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_3ec261ff83b1689cef33c864', '2026-11-26 14:56:02.048+00', 'tuk_3ec261ff83b1689cef33c864', '329a4cff-6067-4f55-9177-461f1d6c0ad3', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_3ec261ff83b1689cef33c864', '2026-11-26 14:56:02.062+00', 'tuk_3ec261ff83b1689cef33c864', '297e3bf2-12af-466c-be3d-f54c1f48d6a2', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:6RDNMUJxLDK_6fwlSSXax', '2026-11-26 14:56:02.121+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-26 14:56:02.121+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-26 14:56:01.884+00', '{1}'),
  ('1', '2', '2026-11-26 14:56:01.904+00', '{1}'),
  ('1', '3', '2026-11-26 14:56:01.92+00', '{2}'),
  ('1', '4', '2026-11-26 14:56:02.048+00', '{3}'),
  ('1', '5', '2026-11-26 14:56:02.062+00', '{4}'),
  ('1', '6', '2026-11-26 14:56:02.08+00', '{4}'),
  ('1', '7', '2026-11-26 14:56:02.121+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '6RDNMUJxLDK_6fwlSSXax', 'ec3c72a0f4971c7f', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-26 14:56:02.092+00', '2026-11-26 14:56:02.145+00', '2026-11-26 14:56:02.145+00', NULL, 'tuk_3ec261ff83b1689cef33c864', '2821e6b6-9ba3-4658-99ab-f13f2e2fdf94', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-26 14:56:02.092+00","2020-01-01 00:00:00+00","2026-11-26 14:56:02.092+00"}', 'apk');

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-26 14:56:02.092+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-26 14:56:02.165+00', '2026-11-26 14:56:02.165+00'),
  ('1', '2', 'south', NULL, '2026-11-26 14:56:02.166+00', '2026-11-26 14:56:02.166+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-26 14:56:02.179+00', '2026-11-26 14:56:02.181+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-26 14:56:02.189+00', '2026-11-26 14:56:02.189+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-26 14:56:02.189+00', '2026-11-26 14:56:02.189+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-26 14:56:02.189+00', '2026-11-26 14:56:02.189+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-26 14:56:02.48+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-26 14:56:02.48+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-26 14:56:02.198+00', '2026-11-26 14:56:02.198+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-26 14:56:02.198+00', '2026-11-26 14:56:02.198+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-26 14:56:02.207+00', '2026-11-26 14:56:02.207+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-26 14:56:02.481+00', '3', '2020-01-01');

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-26 14:56:01.521+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', 'ce409220-9f82-4291-bddf-a31baa9885d4', NULL),
  ('10', '2026-11-26 14:56:02.191+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', '6a904de5-3801-41ad-b3db-8dafcc1d2864', NULL),
  ('11', '2026-11-26 14:56:02.2+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', 'c98875dc-6da4-460c-92af-1758c0b48bbc', NULL),
  ('12', '2026-11-26 14:56:02.311+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-17/2026-10-18', '{"days": 2}', 'admin-token', '127.0.0.1/32', 'c0556bff-d50b-4952-a7ca-21f4f40317fa', NULL),
  ('2', '2026-11-26 14:56:01.602+00', 'api_key.create', '1', 'api_key', 'tuk_e228d82d2fcd598a14e57d36', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', 'ab74a91c-bc43-4e32-92e5-a6baf47ea973', NULL),
  ('3', '2026-11-26 14:56:01.64+00', 'api_key.rotate', '1', 'api_key', 'tuk_e228d82d2fcd598a14e57d36', '{"successor_key_id": "tuk_3ec261ff83b1689cef33c864"}', 'admin-token', '127.0.0.1/32', 'd54ee642-425a-4d8a-89d2-2ae6fb3f7e96', NULL),
  ('4', '2026-11-26 14:56:01.675+00', 'api_key.create', '1', 'api_key', 'tuk_58fb1c306873ae62f5446d5a', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_3ec261ff83b1689cef33c864"}', 'admin-token', '127.0.0.1/32', 'c6ddad31-1d16-4f09-a20e-34824549e351', NULL),
  ('5', '2026-11-26 14:56:01.692+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '9b54d76f-1c31-4fec-a946-f7d46268a84e', NULL),
  ('6', '2026-11-26 14:56:01.714+00', 'administrator.create', NULL, 'administrator', 'bpa_f90886e80de1673322c93804', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', '027e8b7a-00d0-4294-8d9d-bdaedd704683', NULL),
  ('7', '2026-11-26 14:56:01.724+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-27T02:56:01.722Z"}', 'admin-token', '127.0.0.1/32', '38826902-0937-4926-8fe7-131a7b5f9b8f', NULL),
  ('8', '2026-11-26 14:56:02.168+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '5a6d9aea-a018-486e-ae32-d47ffdaa087e', NULL),
  ('9', '2026-11-26 14:56:02.181+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '1c13e2aa-efd5-4b97-bbee-d1037b9df9a0', NULL);

INSERT INTO refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address, count, minute) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-03-01 08:30:10+00', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client', '401', 'unauthenticated', 'revoked', '{größe}', '203.0.113.7/32', '3', '2026-03-01 08:30:00+00');

INSERT INTO alerts (id, concern, kind, at, details, created_at, attempts, next_attempt_at, sent_at) OVERRIDING SYSTEM VALUE VALUES
  ('234be4db-3545-4cd5-a002-f7005dfa6444', 'doctor_found/größe', 'doctor_found', '2026-03-01 08:30:00+00', '{"differences": 3}', '2026-03-01 08:31:00+00', '2', '2026-03-01 08:35:00+00', NULL);

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-26 14:56:00.307063+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-26 14:56:00.307063+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-26 14:56:00.307063+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '7', '2026-11-26 14:56:00.307063+00');

INSERT INTO analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-17', 'ann-0', '2026-10-17 10:00:00+00', 'completion', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-17', 'ben-0', '2026-10-17 10:00:00+00', 'completion', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-18', 'ann-1', '2026-10-18 10:00:00+00', 'view', '1', '3', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-18', 'ben-1', '2026-10-18 10:00:00+00', 'view', '2', '3', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-25', 'ann-2', '2026-11-25 10:00:00+00', 'view', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-25', 'ben-2', '2026-11-25 10:00:00+00', 'view', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0');

INSERT INTO analytics.event_claims (brand_id, event_id, day) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'ann-0', '2026-10-17'),
  ('1', 'ann-1', '2026-10-18'),
  ('1', 'ann-2', '2026-11-25'),
  ('1', 'ben-0', '2026-10-17'),
  ('1', 'ben-1', '2026-10-18'),
  ('1', 'ben-2', '2026-11-25');

INSERT INTO analytics.brand_days (brand_id, day, aggregated_at, changes, aggregated_changes, row_counts, events, aggregated_events) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-17', '2026-11-26 14:56:02.233+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-18', '2026-11-26 14:56:02.233+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-11-25', NULL, '1', '0', '{}', '2', '0');

INSERT INTO analytics.event_retention (is_only, kept_since) OVERRIDING SYSTEM VALUE VALUES
  ('true', '2020-01-01');

INSERT INTO analytics.daily (brand_id, day, market_id, live_episodes, live_programs, live_quests, live_products, active_users, views, completions, successes, xp_earned, time_spent_seconds, episode_views, episode_completions, episode_successes, episode_time_spent_seconds, episode_progress_sum, episode_progress_count, episode_score_sum, episode_score_count, program_views, program_completions, program_successes, program_time_spent_seconds, program_progress_sum, program_progress_count, program_score_sum, program_score_count, quest_views, quest_completions, quest_successes, quest_time_spent_seconds, quest_progress_sum, quest_progress_count, quest_score_sum, quest_score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-17', '0', '1', '0', '0', '1', '2', '0', '2', '0', '0', '120', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '0', '0'),
  ('1', '2026-10-17', '1', '1', '0', '0', '1', '1', '0', '1', '0', '0', '60', '0', '1', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0'),
  ('1', '2026-10-17', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2026-10-18', '0', '1', '0', '0', '1', '2', '2', '0', '0', '0', '120', '2', '0', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '2', '0', '0'),
  ('1', '2026-10-18', '1', '1', '0', '0', '1', '1', '1', '0', '0', '0', '60', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '0'),
  ('1', '2026-10-18', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.contents (brand_id, content_ref_id, day, content_type, total_users, views, unique_views, completions, successes, active_users, xp_earned, time_spent_seconds, questions, progress_sum, progress_count, score_sum, score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_progress_sum, cumulative_progress_count, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-17', 'episode', '2', '0', '0', '2', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0'),
  ('1', '3', '2026-10-18', 'episode', '2', '2', '2', '0', '0', '2', '0', '120', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.users (brand_id, user_id, day, views, completions, successes, xp_earned, time_spent_seconds, score_sum, score_count, episode_views, episode_completions, episode_successes, program_views, program_completions, program_successes, quest_views, quest_completions, quest_successes, cumulative_views, cumulative_completions, cumulative_successes, cumulative_episode_views, cumulative_episode_completions, cumulative_episode_successes, cumulative_program_views, cumulative_program_completions, cumulative_program_successes, cumulative_quest_views, cumulative_quest_completions, cumulative_quest_successes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-17', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '1', '2026-10-18', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-17', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-18', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.content_engagement (brand_id, content_ref_id, day, user_id, content_type, views, completions, successes, xp_earned, time_spent_seconds, questions, answered, score_sum, score_count, cumulative_views, cumulative_xp_earned, cumulative_time_spent_seconds, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-17', '1', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '1', '2026-10-17', '2', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '3', '2026-10-18', '1', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0'),
  ('1', '3', '2026-10-18', '2', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0');

INSERT INTO analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at, aggregated_revision, exclusion_revision, directory_revision, corrected_revision) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-17', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-18', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-17', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-18', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-17', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-18', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-17', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-18', '1', '2026-11-26 14:56:02.233+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_layers (brand_id, dataset, day, generations) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '{8,9}');

INSERT INTO analytics.generation_attempts (brand_id, generation, started_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '10', '2026-11-26 14:56:02.478+00');

INSERT INTO analytics.stale_layers (brand_id, generation, dataset, day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', 'daily', '2026-01-01', '2026-11-26 14:56:02.478+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-26 14:56:02.478+00');

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

SELECT setval('public.stock_levels_id_seq', 7);

SELECT setval('public.stock_locations_id_seq', 3);

SELECT setval('public.stock_movements_id_seq', 8);

SELECT setval('public.variants_id_seq', 3);
