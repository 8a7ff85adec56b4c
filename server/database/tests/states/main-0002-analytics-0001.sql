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

INSERT INTO schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-23 17:08:27.328874+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-23 17:08:27.328874+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/claim-idempotency-keys', 'cdcef82a46611c149f26d123a46107c07214e0687ea1c8d9a5b356fc3222dc7c', '6', '2026-11-23 17:08:27.328874+00'),
  ('routines/drop-audit-partition', '9725262c58cc8c3712cfc943a972a7dae5dbfca238ba9283b56d7af3fa265303', '8', '2026-11-23 17:08:27.328874+00'),
  ('routines/lock-audit', '42579bc1ae2d8628b456ffb34922438ef03f2fce44c0b763c39818e8f271086d', '7', '2026-11-23 17:08:27.328874+00'),
  ('routines/make-audit-partition', '043ca86a8f32a9d06443997ed50b8880524424c541ef675ea24334229fce7e3b', '9', '2026-11-23 17:08:27.328874+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '10', '2026-11-23 17:08:27.328874+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '11', '2026-11-23 17:08:27.328874+00'),
  ('routines/refuse-change-of-closed-brand', '0cc358ec343fbe0cce7523fc236a5c06f9e40b3cbe86768b10aaf85369f16761', '12', '2026-11-23 17:08:27.328874+00'),
  ('views/audit-partitions', 'ce3b89f09131e142476c3ec5e0ed3702d77a688ea33613d131537f79d5c0af08', '1', '2026-11-23 17:08:27.328874+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '2', '2026-11-23 17:08:27.328874+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '3', '2026-11-23 17:08:27.328874+00'),
  ('views/stock-feed-lines', 'be1400d728848de9a61872b7063762f770ea3f8be18e7f415f2ad25477c59cb0', '4', '2026-11-23 17:08:27.328874+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '5', '2026-11-23 17:08:27.328874+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '16', '2026-11-23 17:08:27.328874+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, closed_at, exported_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-23 17:08:27.89+00', '2026-11-23 17:08:27.89+00', NULL, NULL);

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_0e744927d681ae5c42f4a787', '1', E'\\x172f7b6a2abdeefa98084041e551dd8f2e2d17d47e4d0ccbffc169589a17b556', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-23 17:08:27.922+00', NULL, NULL, '2026-11-23 17:08:27.914+00', NULL, NULL, 'false'),
  ('1', '2', 'tuk_b9ffa0d1816ae6beb22bc007', '1', E'\\x6f6b285d13d895b374ebc5124be131e7bdb21e15f477a8c6a89ed72fcbe6a33e', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_0e744927d681ae5c42f4a787', '2026-11-23 17:08:28.12+00', '2026-11-23 17:08:27.923+00', NULL, '127.0.0.1/32', 'false'),
  ('1', '3', 'tuk_f1f2cb00748f74d9c82fe2fb', '1', E'\\x3627bfcc8316f73a389ee06fd7dfaf91907b36b44c8cd21925efd551e9f72c96', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-23 17:08:27.927+00', 'tuk_b9ffa0d1816ae6beb22bc007', NULL, 'false');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x9905caceb77be0ae5c988d99053d05d4c0e89e9aab074c8b0edc19c0644c4a0a', 'FdCx', 'ERP', NULL, '2026-11-23 17:08:27.932+00', NULL, 'false');

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0271abf3f6df7d89', E'\\x6de8e33a1353f3a299b6a8231612968ef4972c6128ebe139ce580b7bfc36beb7', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-23T17:08:28.018Z","updated_at":"2026-11-23T17:08:28.018Z"},"movement":{"id":3,"product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_b9ffa0d1816ae6beb22bc007","created_at":"2026-11-23T17:08:28.018Z"}}', '2026-11-23 17:08:28.019+00', 'POST', '/v1/client/catalog/products/r6iqkqf3PkLj7PCNJYqAT/stock/adjust', 'tuk_b9ffa0d1816ae6beb22bc007', '189f07c7-b80e-47be-8e41-f47f0ae4ac50'),
  ('1', '1', '1df3f9642de370ea', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"r6iqkqf3PkLj7PCNJYqAT","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T17:08:27.973Z","updated_at":"2026-11-23T17:08:27.973Z","axes":[],"variants":[]}', '2026-11-23 17:08:27.975+00', 'POST', '/v1/client/catalog/products', 'tuk_b9ffa0d1816ae6beb22bc007', 'eeedabad-d364-40d4-8d05-f967f2b8a449'),
  ('1', '1', '2c456219c137c1c0', E'\\x47f3bd22071be945b03267f9c54c682e8a5c7eff5ccd9762f0b7fc370658558b', '201', '{}', '{"tu_id":"-m_lb4zb8lN099gNoKOe2","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"GpYdfHfprPQniEaYxK9lv","created_at":"2026-11-23T17:08:28.074Z","updated_at":"2026-11-23T17:08:28.074Z"}', '2026-11-23 17:08:28.076+00', 'POST', '/v1/client/catalog/products/GpYdfHfprPQniEaYxK9lv/variants', 'tuk_b9ffa0d1816ae6beb22bc007', '10a6a3c5-ec15-4a21-808a-16c707a52d74'),
  ('1', '1', '3dd3065c32887d13', E'\\x9d3d6c05cd259bc3154b5b5dc15d4476ff88c26cce41a0b44b0be0157331a354', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-23T17:08:28.002Z","updated_at":"2026-11-23T17:08:28.002Z"},"movement":{"id":1,"product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-23T17:08:28.002Z"}}', '2026-11-23 17:08:28.005+00', 'POST', '/v1/client/catalog/products/r6iqkqf3PkLj7PCNJYqAT/stock/adjust', 'tuk_b9ffa0d1816ae6beb22bc007', '2016eb4f-200a-4426-b2bf-f5a099baaa86'),
  ('1', '1', '52f0d72330ddf8be', E'\\xed25efa0bf549b3b824749b44315d8cef100cf2c071b35fe7234345f31528088', '201', '{}', '{"tu_id":"juHSZOWsxES_Hd9BoIvjF","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"GpYdfHfprPQniEaYxK9lv","created_at":"2026-11-23T17:08:28.067Z","updated_at":"2026-11-23T17:08:28.067Z"}', '2026-11-23 17:08:28.069+00', 'POST', '/v1/client/catalog/products/GpYdfHfprPQniEaYxK9lv/variants', 'tuk_b9ffa0d1816ae6beb22bc007', '949139c0-d457-4eb7-9d4a-878a7fbc99bb'),
  ('1', '1', '6f6517b220ca94ed', E'\\xa31e31b12a84c4b35fc684705934be30a18335083d4b6f3216a47721bfc5a869', '201', '{}', '{"tu_id":"3PTP8_lx6A35mrLdEIkmr","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"GpYdfHfprPQniEaYxK9lv","created_at":"2026-11-23T17:08:28.058Z","updated_at":"2026-11-23T17:08:28.058Z"}', '2026-11-23 17:08:28.061+00', 'POST', '/v1/client/catalog/products/GpYdfHfprPQniEaYxK9lv/variants', 'tuk_b9ffa0d1816ae6beb22bc007', '9ecc5135-b6fd-476c-9b40-e41c36f6d605'),
  ('1', '1', '8bf9e8b18037981f', E'\\x1421be21302ded9e851cdbdc5712efe7f55aacdb090ce298427a9417075e623f', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"GpYdfHfprPQniEaYxK9lv","variant_tu_id":"juHSZOWsxES_Hd9BoIvjF","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-23T17:08:28.081Z","updated_at":"2026-11-23T17:08:28.081Z"},"movement":{"id":4,"product_tu_id":"GpYdfHfprPQniEaYxK9lv","variant_tu_id":"juHSZOWsxES_Hd9BoIvjF","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_b9ffa0d1816ae6beb22bc007","created_at":"2026-11-23T17:08:28.081Z"}}', '2026-11-23 17:08:28.083+00', 'POST', '/v1/client/catalog/products/GpYdfHfprPQniEaYxK9lv/stock/adjust', 'tuk_b9ffa0d1816ae6beb22bc007', '286aa935-dec9-46ef-9f93-dc4afc26c9f9'),
  ('1', '1', 'b0b32b9b200243e8', E'\\x508f98c9a4695de4bf8988ca3b45cde10da8064b36979c1cb0e772552accf236', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"GpYdfHfprPQniEaYxK9lv","variant_tu_id":"-m_lb4zb8lN099gNoKOe2","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-23T17:08:28.088Z","updated_at":"2026-11-23T17:08:28.088Z"},"movement":{"id":5,"product_tu_id":"GpYdfHfprPQniEaYxK9lv","variant_tu_id":"-m_lb4zb8lN099gNoKOe2","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_b9ffa0d1816ae6beb22bc007","created_at":"2026-11-23T17:08:28.088Z"}}', '2026-11-23 17:08:28.09+00', 'POST', '/v1/client/catalog/products/GpYdfHfprPQniEaYxK9lv/stock/adjust', 'tuk_b9ffa0d1816ae6beb22bc007', '7372be35-02d7-46a3-8f9b-d95eeb7cce7d'),
  ('1', '1', 'cb72dadf98ff2452', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"GpYdfHfprPQniEaYxK9lv","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T17:08:28.036Z","updated_at":"2026-11-23T17:08:28.036Z","axes":[],"variants":[]}', '2026-11-23 17:08:28.037+00', 'POST', '/v1/client/catalog/products', 'tuk_b9ffa0d1816ae6beb22bc007', 'e332bbe5-c794-4a06-9bc5-fff3bde93cc6'),
  ('1', '1', 'fa75956f261bd735', E'\\xccef0231743b26db2b249bf6ba4f13fd3d48f406ba947f3b6f52c81a2865cd2e', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-23T17:08:28.011Z","updated_at":"2026-11-23T17:08:28.011Z"},"movement":{"id":2,"product_tu_id":"r6iqkqf3PkLj7PCNJYqAT","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_b9ffa0d1816ae6beb22bc007","created_at":"2026-11-23T17:08:28.011Z"}}', '2026-11-23 17:08:28.013+00', 'POST', '/v1/client/catalog/products/r6iqkqf3PkLj7PCNJYqAT/stock/adjust', 'tuk_b9ffa0d1816ae6beb22bc007', '5cd131d4-b6fb-4eb9-9e10-422c88b7c465');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'getStockFeedReport', 'catalog.stock:read', '1', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-23 17:00:00+00', 'tuk_b9ffa0d1816ae6beb22bc007', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_8fb5cc100f886994ac066b07', E'\\x5bbe1b461a9cf52ee1e2061bc56431d4263536825cc4bfd901945d7db58ed1c2', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-23 17:08:27.939+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\xcf42fdc9f2d74e3b7661dc4c7d2ec84eaf1d9cd14d478d67365108c613436f7b', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-23 17:08:27.944+00', '2026-11-23 17:08:27.944+00', '2026-11-24 05:08:27.944+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-23 17:08:28.095+00', '2', '1', '1', '0', '1795453707892');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'GpYdfHfprPQniEaYxK9lv'),
  ('1', 'PARENT-L', 'variant', '-m_lb4zb8lN099gNoKOe2'),
  ('1', 'PARENT-M', 'variant', 'juHSZOWsxES_Hd9BoIvjF'),
  ('1', 'PARENT-S', 'variant', '3PTP8_lx6A35mrLdEIkmr'),
  ('1', 'SIMPLE', 'product', 'r6iqkqf3PkLj7PCNJYqAT');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'r6iqkqf3PkLj7PCNJYqAT', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-23 17:08:27.973+00', '2026-11-23 17:08:27.988+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'GpYdfHfprPQniEaYxK9lv', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-23 17:08:28.036+00', '2026-11-23 17:08:28.095+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-23 17:08:28.029+00', '2026-11-23 17:08:28.029+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-23 17:08:28.029+00', '2026-11-23 17:08:28.029+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-23 17:08:28.029+00', '2026-11-23 17:08:28.029+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-23 17:08:28.029+00', '2026-11-23 17:08:28.029+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '3PTP8_lx6A35mrLdEIkmr', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-23 17:08:28.058+00', '2026-11-23 17:08:28.058+00'),
  ('1', '2', '2', 'juHSZOWsxES_Hd9BoIvjF', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-23 17:08:28.067+00', '2026-11-23 17:08:28.067+00'),
  ('1', '3', '2', '-m_lb4zb8lN099gNoKOe2', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-23 17:08:28.095+00', '2026-11-23 17:08:28.074+00', '2026-11-23 17:08:28.095+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-23 17:08:27.955+00', '2026-11-23 17:08:27.955+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-23 17:08:27.961+00', '2026-11-23 17:08:27.961+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-23 17:08:28.081+00', '2026-11-23 17:08:28.081+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-23 17:08:28.011+00', 'false', '2026-11-23 17:08:28.011+00'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-23 17:08:28.018+00', 'false', '2026-11-23 17:08:28.018+00'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-23 17:08:28.081+00', 'false', '2026-11-23 17:08:28.081+00'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-23 17:08:28.088+00', 'false', '2026-11-23 17:08:28.097+00'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-23 17:08:28.104+00', 'true', '2026-11-23 17:08:28.117+00');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-23 17:08:28.002+00', 'tuk_b9ffa0d1816ae6beb22bc007', '2016eb4f-200a-4426-b2bf-f5a099baaa86', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_b9ffa0d1816ae6beb22bc007', '2026-11-23 17:08:28.011+00', 'tuk_b9ffa0d1816ae6beb22bc007', '5cd131d4-b6fb-4eb9-9e10-422c88b7c465', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_b9ffa0d1816ae6beb22bc007', '2026-11-23 17:08:28.018+00', 'tuk_b9ffa0d1816ae6beb22bc007', '189f07c7-b80e-47be-8e41-f47f0ae4ac50', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_b9ffa0d1816ae6beb22bc007', '2026-11-23 17:08:28.081+00', 'tuk_b9ffa0d1816ae6beb22bc007', '286aa935-dec9-46ef-9f93-dc4afc26c9f9', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_b9ffa0d1816ae6beb22bc007', '2026-11-23 17:08:28.088+00', 'tuk_b9ffa0d1816ae6beb22bc007', '7372be35-02d7-46a3-8f9b-d95eeb7cce7d', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:JmxhrxsWwzVEnwPluT1A9', '2026-11-23 17:08:28.117+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-23 17:08:28.117+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-23 17:08:28.002+00', '{1}'),
  ('1', '2', '2026-11-23 17:08:28.011+00', '{1}'),
  ('1', '3', '2026-11-23 17:08:28.018+00', '{2}'),
  ('1', '4', '2026-11-23 17:08:28.081+00', '{3}'),
  ('1', '5', '2026-11-23 17:08:28.088+00', '{4}'),
  ('1', '6', '2026-11-23 17:08:28.097+00', '{4}'),
  ('1', '7', '2026-11-23 17:08:28.117+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'JmxhrxsWwzVEnwPluT1A9', '50325e35c1226315', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-23 17:08:28.104+00', '2026-11-23 17:08:28.121+00', '2026-11-23 17:08:28.121+00', NULL, 'tuk_b9ffa0d1816ae6beb22bc007', '0df115b5-0ed0-418e-8b24-ddc8c1fd31f8', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-23 17:08:28.104+00","2020-01-01 00:00:00+00","2026-11-23 17:08:28.104+00"}', 'apk');

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-23 17:08:28.104+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-23 17:08:28.138+00', '2026-11-23 17:08:28.138+00'),
  ('1', '2', 'south', NULL, '2026-11-23 17:08:28.138+00', '2026-11-23 17:08:28.138+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-23 17:08:28.146+00', '2026-11-23 17:08:28.148+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-23 17:08:28.154+00', '2026-11-23 17:08:28.154+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-23 17:08:28.154+00', '2026-11-23 17:08:28.154+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-23 17:08:28.154+00', '2026-11-23 17:08:28.154+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-23 17:08:28.281+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-23 17:08:28.281+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-23 17:08:28.16+00', '2026-11-23 17:08:28.16+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-23 17:08:28.161+00', '2026-11-23 17:08:28.161+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-23 17:08:28.167+00', '2026-11-23 17:08:28.167+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-23 17:08:28.283+00', '3', '2020-01-01');

INSERT INTO cell (is_only, name) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00');

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 17:08:27.891+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', 'f26691ce-511f-4fef-8d39-a29a02126d75', NULL),
  ('10', '2026-11-23 17:08:28.155+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', '99fa6412-537a-4942-bded-c30168e68d45', NULL),
  ('11', '2026-11-23 17:08:28.162+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '1c6c4805-ec66-419b-94c6-7cbc0eb0f1b9', NULL),
  ('12', '2026-11-23 17:08:28.218+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-14/2026-10-15', '{"days": 2}', 'admin-token', '127.0.0.1/32', 'abd9fdad-d346-4e97-88ea-c2e9e63ca50f', NULL),
  ('2', '2026-11-23 17:08:27.916+00', 'api_key.create', '1', 'api_key', 'tuk_0e744927d681ae5c42f4a787', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '9234c73f-b69d-43a6-a606-c3a01f2c24c3', NULL),
  ('3', '2026-11-23 17:08:27.923+00', 'api_key.rotate', '1', 'api_key', 'tuk_0e744927d681ae5c42f4a787', '{"successor_key_id": "tuk_b9ffa0d1816ae6beb22bc007"}', 'admin-token', '127.0.0.1/32', '99a73844-d0d6-4fb7-80ca-942d5b1fadc5', NULL),
  ('4', '2026-11-23 17:08:27.928+00', 'api_key.create', '1', 'api_key', 'tuk_f1f2cb00748f74d9c82fe2fb', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_b9ffa0d1816ae6beb22bc007"}', 'admin-token', '127.0.0.1/32', '108a1cc2-60d7-483b-8747-86b0f39713f0', NULL),
  ('5', '2026-11-23 17:08:27.933+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '98677f3d-ad77-42fc-8b70-e9ee9982a7e4', NULL),
  ('6', '2026-11-23 17:08:27.939+00', 'administrator.create', NULL, 'administrator', 'bpa_8fb5cc100f886994ac066b07', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', 'dd367f1c-d584-4f05-9f56-d1a42f6f53b4', NULL),
  ('7', '2026-11-23 17:08:27.945+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-24T05:08:27.944Z"}', 'admin-token', '127.0.0.1/32', 'ff46b143-7cb5-4967-9d92-c8020d9ecb16', NULL),
  ('8', '2026-11-23 17:08:28.14+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '935dbaec-2934-4a34-9f1f-5cb79e9eab31', NULL),
  ('9', '2026-11-23 17:08:28.148+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '838f3699-04c1-433e-90d9-6bd52df0c4b5', NULL);

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-23 17:08:27.517577+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-23 17:08:27.517577+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-23 17:08:27.517577+00'),
  ('routines/refuse-change-of-closed-brand', '88e176304004fe2d8da548149051339b7805b84295b28fa3eb397913e2c9fb28', '3', '2026-11-23 17:08:27.517577+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '6', '2026-11-23 17:08:27.517577+00');

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
  ('1', '2026-10-14', '2026-11-23 17:08:28.189+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-15', '2026-11-23 17:08:28.189+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
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
  ('1', 'content_engagement', '2026-10-14', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-15', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-14', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-15', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-14', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-15', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-14', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-15', '1', '2026-11-23 17:08:28.189+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_layers (brand_id, dataset, day, generations) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '{8,9}');

INSERT INTO analytics.generation_attempts (brand_id, generation, started_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '10', '2026-11-23 17:08:28.28+00');

INSERT INTO analytics.stale_layers (brand_id, generation, dataset, day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', 'daily', '2026-01-01', '2026-11-23 17:08:28.28+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-23 17:08:28.28+00');

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
