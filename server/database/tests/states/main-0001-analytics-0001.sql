-- Generated; see states.test.ts.

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

CREATE TABLE analytics.learning_events_2026_11 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');

CREATE TABLE analytics.learning_events_2026_12 PARTITION OF analytics.learning_events FOR VALUES FROM ('2026-12-01') TO ('2027-01-01');

CREATE TABLE analytics.learning_events_2027_01 PARTITION OF analytics.learning_events FOR VALUES FROM ('2027-01-01') TO ('2027-02-01');

INSERT INTO schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-23 16:54:43.62737+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/announce-partition-end', '50f0a0cbfc2306590dc3f814d622ff704c4cd601b24a63bbf5ac547dadc74d51', '6', '2026-11-23 16:54:43.62737+00'),
  ('routines/claim-idempotency-keys', 'cdcef82a46611c149f26d123a46107c07214e0687ea1c8d9a5b356fc3222dc7c', '7', '2026-11-23 16:54:43.62737+00'),
  ('routines/drop-first-partition', 'dbaaeec7f37ade666976727dc19bd13524ca617453dc1ff8e9f21471964de637', '8', '2026-11-23 16:54:43.62737+00'),
  ('routines/lock-first-partition', 'd927102154e3b2a30b79a7c5daf9236dcfc7e28f7729e4597a5b76c46ef29acd', '10', '2026-11-23 16:54:43.62737+00'),
  ('routines/lock-partitioned-table', 'bc874b20c1a32e830a4a43878cdf1c59b952d8cdf728c8a835f19893e9bbd3b0', '9', '2026-11-23 16:54:43.62737+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '11', '2026-11-23 16:54:43.62737+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '12', '2026-11-23 16:54:43.62737+00'),
  ('routines/open-next-partition', '296c56d143e8829287adc6e56850806067c866910d756ce3b30f0a719ff30977', '13', '2026-11-23 16:54:43.62737+00'),
  ('routines/refuse-change-of-closed-brand', '0cc358ec343fbe0cce7523fc236a5c06f9e40b3cbe86768b10aaf85369f16761', '14', '2026-11-23 16:54:43.62737+00'),
  ('routines/validate-partition-end', '2294e1dd1f2fa9297590e15debfc5fafad7a6c4c9340785fad3f1c2d2d534085', '15', '2026-11-23 16:54:43.62737+00'),
  ('routines/withdraw-partition-end', '280a9f96e3d290c14cf172493e172775461f8a1944f04d437390e3536995adb8', '16', '2026-11-23 16:54:43.62737+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-23 16:54:43.62737+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-23 16:54:43.62737+00'),
  ('views/stock-feed-lines', 'be1400d728848de9a61872b7063762f770ea3f8be18e7f415f2ad25477c59cb0', '3', '2026-11-23 16:54:43.62737+00'),
  ('views/table-partitions', '36617767f4753193bcb488b46a940e47b176b2ee07e7c9cc1bf334e5fe25d5f3', '4', '2026-11-23 16:54:43.62737+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '5', '2026-11-23 16:54:43.62737+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '15', '2026-11-23 16:54:43.62737+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, closed_at, exported_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-23 16:54:45.254+00', '2026-11-23 16:54:45.254+00', NULL, NULL);

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_d7a7bab02dd8647b17365757', '1', E'\\x629f5acbd6260a4dd289d606ca9c2b9e36550c984ddcea6e63c1dbcc3ba9b544', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-23 16:54:45.296+00', NULL, NULL, '2026-11-23 16:54:45.288+00', NULL, NULL, 'false'),
  ('1', '2', 'tuk_074c3cb144fe100fc7d59837', '1', E'\\xa9d7fec1e1083181593454edb68e6b82dc2268e3f008d4cb2818d88e47ba0c1a', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_d7a7bab02dd8647b17365757', '2026-11-23 16:54:45.768+00', '2026-11-23 16:54:45.298+00', NULL, '127.0.0.1/32', 'false'),
  ('1', '3', 'tuk_b700602fadb6b0ddb4abbcf4', '1', E'\\xb6ac8ba5f7e6f93b5e8558bb3c60a30d7db3c2ff93e3a9710a9ff52f2e25243d', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-23 16:54:45.305+00', 'tuk_074c3cb144fe100fc7d59837', NULL, 'false');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x40d430b205d53931e005643f232cf94bff8aa40a5e6216382334de20028486a0', '3Osm', 'ERP', NULL, '2026-11-23 16:54:45.317+00', NULL, 'false');

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 16:54:45.262+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', '08d61a39-d0e7-4c62-9226-792da6453f59', NULL),
  ('10', '2026-11-23 16:54:45.823+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', 'd90c5328-a116-406a-a963-b16419df4b9e', NULL),
  ('11', '2026-11-23 16:54:45.832+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '86f18923-3d39-42b0-b3c3-0348f3e34ba7', NULL),
  ('12', '2026-11-23 16:54:46.112+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-14/2026-10-15', '{"days": 2}', 'admin-token', '127.0.0.1/32', 'f4806454-19ad-4ea2-ad00-5b1c2e559619', NULL),
  ('2', '2026-11-23 16:54:45.289+00', 'api_key.create', '1', 'api_key', 'tuk_d7a7bab02dd8647b17365757', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '27d4db41-e891-4696-b09a-f3a863080ace', NULL),
  ('3', '2026-11-23 16:54:45.298+00', 'api_key.rotate', '1', 'api_key', 'tuk_d7a7bab02dd8647b17365757', '{"successor_key_id": "tuk_074c3cb144fe100fc7d59837"}', 'admin-token', '127.0.0.1/32', '016ebaee-1073-4634-9485-c7c5901f63cb', NULL),
  ('4', '2026-11-23 16:54:45.305+00', 'api_key.create', '1', 'api_key', 'tuk_b700602fadb6b0ddb4abbcf4', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_074c3cb144fe100fc7d59837"}', 'admin-token', '127.0.0.1/32', 'd7ee1999-439f-4950-9674-8fb1cda63709', NULL),
  ('5', '2026-11-23 16:54:45.318+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '0acf820c-7d19-439a-b5d8-a3a96fc446f2', NULL),
  ('6', '2026-11-23 16:54:45.33+00', 'administrator.create', NULL, 'administrator', 'bpa_7ffeb0ee6378ef573c7b1116', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', '8be082b9-3a43-4561-8e4f-2e7bac31ced6', NULL),
  ('7', '2026-11-23 16:54:45.349+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-24T04:54:45.341Z"}', 'admin-token', '127.0.0.1/32', '4f1a1f12-d734-4f17-a155-0508621cfb04', NULL),
  ('8', '2026-11-23 16:54:45.779+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '156ec806-73ef-496f-a5c2-2bc0ac7e7f5d', NULL),
  ('9', '2026-11-23 16:54:45.801+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '6499b0b2-94fe-488f-b136-6f8c736310ab', NULL);

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '05bd178afd4d6346', E'\\x7040351cd2d1ab9ec9dd77d68c1617be1d774904955569ebe12635ea5f842e4c', '201', '{}', '{"tu_id":"1YW45XCu3oMkbvKMwsAPq","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"7hacJp20EBo3Y4sy9zDuU","created_at":"2026-11-23T16:54:45.580Z","updated_at":"2026-11-23T16:54:45.580Z"}', '2026-11-23 16:54:45.582+00', 'POST', '/v1/client/catalog/products/7hacJp20EBo3Y4sy9zDuU/variants', 'tuk_074c3cb144fe100fc7d59837', '8a244f5c-c915-4cff-9c97-179c25929986'),
  ('1', '1', '0edff2a3209e9cc0', E'\\x5b2ab8d1be3f906429e4353916e1b8330e9e02cc8669fc1cd14763ad93470a83', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-23T16:54:45.481Z","updated_at":"2026-11-23T16:54:45.481Z"},"movement":{"id":3,"product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_074c3cb144fe100fc7d59837","created_at":"2026-11-23T16:54:45.481Z"}}', '2026-11-23 16:54:45.483+00', 'POST', '/v1/client/catalog/products/1TedyVrVezsggsS2bcdyO/stock/adjust', 'tuk_074c3cb144fe100fc7d59837', '6d2bebb7-1694-4c06-a150-bb2a4a7ccd4d'),
  ('1', '1', '13adb6f20baad7b2', E'\\x542fddf3c9dea9c871fc5d2323cef16d962ddd5d92bb6c855a95b6e4eb58c6ff', '201', '{}', '{"tu_id":"K9BwkaAygDhlOE-n9ZM2A","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"7hacJp20EBo3Y4sy9zDuU","created_at":"2026-11-23T16:54:45.571Z","updated_at":"2026-11-23T16:54:45.571Z"}', '2026-11-23 16:54:45.574+00', 'POST', '/v1/client/catalog/products/7hacJp20EBo3Y4sy9zDuU/variants', 'tuk_074c3cb144fe100fc7d59837', 'c991e1af-756b-44a6-83d3-17512ca92160'),
  ('1', '1', '1969222e3f3a2ead', E'\\xbb93aa0f41bdf494d7bdb039fe4f783aae8256fe60759c47313a3e861a235f7c', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"7hacJp20EBo3Y4sy9zDuU","variant_tu_id":"1YW45XCu3oMkbvKMwsAPq","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-23T16:54:45.673Z","updated_at":"2026-11-23T16:54:45.673Z"},"movement":{"id":5,"product_tu_id":"7hacJp20EBo3Y4sy9zDuU","variant_tu_id":"1YW45XCu3oMkbvKMwsAPq","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_074c3cb144fe100fc7d59837","created_at":"2026-11-23T16:54:45.673Z"}}', '2026-11-23 16:54:45.676+00', 'POST', '/v1/client/catalog/products/7hacJp20EBo3Y4sy9zDuU/stock/adjust', 'tuk_074c3cb144fe100fc7d59837', '44816509-9c46-4d32-9347-f42a6565e89d'),
  ('1', '1', '5a201244d9c86297', E'\\x740805da9bf1aa5b48dac46630cd434a624d0dc8aff2dd332b1591eb68ec1061', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"7hacJp20EBo3Y4sy9zDuU","variant_tu_id":"K9BwkaAygDhlOE-n9ZM2A","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-23T16:54:45.590Z","updated_at":"2026-11-23T16:54:45.590Z"},"movement":{"id":4,"product_tu_id":"7hacJp20EBo3Y4sy9zDuU","variant_tu_id":"K9BwkaAygDhlOE-n9ZM2A","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_074c3cb144fe100fc7d59837","created_at":"2026-11-23T16:54:45.590Z"}}', '2026-11-23 16:54:45.591+00', 'POST', '/v1/client/catalog/products/7hacJp20EBo3Y4sy9zDuU/stock/adjust', 'tuk_074c3cb144fe100fc7d59837', 'ec471402-9165-496b-9977-b5f0716dc88a'),
  ('1', '1', '7d9d5fd67aa6fb12', E'\\x418e1fa5021301ad17ad6bd6e224394746a9ed3414737822577de070fb527c3b', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-23T16:54:45.466Z","updated_at":"2026-11-23T16:54:45.466Z"},"movement":{"id":2,"product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_074c3cb144fe100fc7d59837","created_at":"2026-11-23T16:54:45.466Z"}}', '2026-11-23 16:54:45.467+00', 'POST', '/v1/client/catalog/products/1TedyVrVezsggsS2bcdyO/stock/adjust', 'tuk_074c3cb144fe100fc7d59837', '83157ffe-eff2-4a52-baff-3bca1e833bc0'),
  ('1', '1', '89a20856ed4bfc8f', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"1TedyVrVezsggsS2bcdyO","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T16:54:45.397Z","updated_at":"2026-11-23T16:54:45.397Z","axes":[],"variants":[]}', '2026-11-23 16:54:45.399+00', 'POST', '/v1/client/catalog/products', 'tuk_074c3cb144fe100fc7d59837', 'fcf4bd03-f3ce-4c1b-b6d0-10e2710b2232'),
  ('1', '1', '9099bf4ed0103d50', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"7hacJp20EBo3Y4sy9zDuU","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-23T16:54:45.512Z","updated_at":"2026-11-23T16:54:45.512Z","axes":[],"variants":[]}', '2026-11-23 16:54:45.513+00', 'POST', '/v1/client/catalog/products', 'tuk_074c3cb144fe100fc7d59837', 'ec5032ce-9368-4eec-b75c-34d63cf8cae9'),
  ('1', '1', 'a1e3530891b9f090', E'\\x9a489f7b8ad203400c08d6113af54ba19263b0faf4e78151cabcf8643d7cbe1f', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-23T16:54:45.450Z","updated_at":"2026-11-23T16:54:45.450Z"},"movement":{"id":1,"product_tu_id":"1TedyVrVezsggsS2bcdyO","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-23T16:54:45.450Z"}}', '2026-11-23 16:54:45.453+00', 'POST', '/v1/client/catalog/products/1TedyVrVezsggsS2bcdyO/stock/adjust', 'tuk_074c3cb144fe100fc7d59837', '49d067e7-18c8-4151-a727-9c53751efe42'),
  ('1', '1', 'd4526c4702f6e93a', E'\\x68b7bf945af7bd1a0453dfe8c3792ad5a08458228c71c1afb2f2e2123d2c7c9a', '201', '{}', '{"tu_id":"TgDvjLFCZ427wxXo11VnT","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"7hacJp20EBo3Y4sy9zDuU","created_at":"2026-11-23T16:54:45.553Z","updated_at":"2026-11-23T16:54:45.553Z"}', '2026-11-23 16:54:45.561+00', 'POST', '/v1/client/catalog/products/7hacJp20EBo3Y4sy9zDuU/variants', 'tuk_074c3cb144fe100fc7d59837', '68e4ef57-60b9-47be-8162-03668df2ee4d');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'getStockFeedReport', 'catalog.stock:read', '2', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-23 16:00:00+00', 'tuk_074c3cb144fe100fc7d59837', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_7ffeb0ee6378ef573c7b1116', E'\\x15656aa3ac00db8b3836a1a96c32f4905f7e1d00cb14d2a74cee635e5e032846', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-23 16:54:45.328+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\xb24820e86195ca87e5c13f736dc5cfe6fe53819f76d68e9588fc31eff4387649', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-23 16:54:45.341+00', '2026-11-23 16:54:45.341+00', '2026-11-24 04:54:45.341+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-23 16:54:45.684+00', '2', '1', '1', '0', '1795452885256');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', '7hacJp20EBo3Y4sy9zDuU'),
  ('1', 'PARENT-L', 'variant', '1YW45XCu3oMkbvKMwsAPq'),
  ('1', 'PARENT-M', 'variant', 'K9BwkaAygDhlOE-n9ZM2A'),
  ('1', 'PARENT-S', 'variant', 'TgDvjLFCZ427wxXo11VnT'),
  ('1', 'SIMPLE', 'product', '1TedyVrVezsggsS2bcdyO');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1TedyVrVezsggsS2bcdyO', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-23 16:54:45.397+00', '2026-11-23 16:54:45.432+00', '0', '0', '0', NULL, NULL),
  ('1', '2', '7hacJp20EBo3Y4sy9zDuU', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-23 16:54:45.512+00', '2026-11-23 16:54:45.684+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-23 16:54:45.504+00', '2026-11-23 16:54:45.504+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-23 16:54:45.504+00', '2026-11-23 16:54:45.504+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-23 16:54:45.504+00', '2026-11-23 16:54:45.504+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-23 16:54:45.504+00', '2026-11-23 16:54:45.504+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'TgDvjLFCZ427wxXo11VnT', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-23 16:54:45.553+00', '2026-11-23 16:54:45.553+00'),
  ('1', '2', '2', 'K9BwkaAygDhlOE-n9ZM2A', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-23 16:54:45.571+00', '2026-11-23 16:54:45.571+00'),
  ('1', '3', '2', '1YW45XCu3oMkbvKMwsAPq', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-23 16:54:45.684+00', '2026-11-23 16:54:45.58+00', '2026-11-23 16:54:45.684+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-23 16:54:45.367+00', '2026-11-23 16:54:45.367+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-23 16:54:45.377+00', '2026-11-23 16:54:45.377+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-23 16:54:45.59+00', '2026-11-23 16:54:45.59+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-23 16:54:45.466+00', 'false', '2026-11-23 16:54:45.466+00'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-23 16:54:45.481+00', 'false', '2026-11-23 16:54:45.481+00'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-23 16:54:45.59+00', 'false', '2026-11-23 16:54:45.59+00'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-23 16:54:45.673+00', 'false', '2026-11-23 16:54:45.687+00'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-23 16:54:45.694+00', 'true', '2026-11-23 16:54:45.743+00');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-23 16:54:45.45+00', 'tuk_074c3cb144fe100fc7d59837', '49d067e7-18c8-4151-a727-9c53751efe42', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_074c3cb144fe100fc7d59837', '2026-11-23 16:54:45.466+00', 'tuk_074c3cb144fe100fc7d59837', '83157ffe-eff2-4a52-baff-3bca1e833bc0', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_074c3cb144fe100fc7d59837', '2026-11-23 16:54:45.481+00', 'tuk_074c3cb144fe100fc7d59837', '6d2bebb7-1694-4c06-a150-bb2a4a7ccd4d', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_074c3cb144fe100fc7d59837', '2026-11-23 16:54:45.59+00', 'tuk_074c3cb144fe100fc7d59837', 'ec471402-9165-496b-9977-b5f0716dc88a', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_074c3cb144fe100fc7d59837', '2026-11-23 16:54:45.673+00', 'tuk_074c3cb144fe100fc7d59837', '44816509-9c46-4d32-9347-f42a6565e89d', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:gF6bKaFyAYLuF8EG4BQQ6', '2026-11-23 16:54:45.743+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-23 16:54:45.743+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-23 16:54:45.45+00', '{1}'),
  ('1', '2', '2026-11-23 16:54:45.466+00', '{1}'),
  ('1', '3', '2026-11-23 16:54:45.481+00', '{2}'),
  ('1', '4', '2026-11-23 16:54:45.59+00', '{3}'),
  ('1', '5', '2026-11-23 16:54:45.673+00', '{4}'),
  ('1', '6', '2026-11-23 16:54:45.687+00', '{4}'),
  ('1', '7', '2026-11-23 16:54:45.743+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'gF6bKaFyAYLuF8EG4BQQ6', '6938e93b52874b93', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-23 16:54:45.694+00', '2026-11-23 16:54:45.757+00', '2026-11-23 16:54:45.757+00', NULL, 'tuk_074c3cb144fe100fc7d59837', '4c8a417c-1445-4122-a542-1401084e9a15', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-23 16:54:45.694+00","2020-01-01 00:00:00+00","2026-11-23 16:54:45.694+00"}', 'apk');

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-23 16:54:45.694+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-23 16:54:45.777+00', '2026-11-23 16:54:45.777+00'),
  ('1', '2', 'south', NULL, '2026-11-23 16:54:45.777+00', '2026-11-23 16:54:45.777+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-23 16:54:45.794+00', '2026-11-23 16:54:45.8+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-23 16:54:45.822+00', '2026-11-23 16:54:45.822+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-23 16:54:45.822+00', '2026-11-23 16:54:45.822+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-23 16:54:45.822+00', '2026-11-23 16:54:45.822+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-23 16:54:46.439+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-23 16:54:46.44+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-23 16:54:45.83+00', '2026-11-23 16:54:45.83+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-23 16:54:45.831+00', '2026-11-23 16:54:45.831+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-23 16:54:45.84+00', '2026-11-23 16:54:45.84+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-23 16:54:46.441+00', '3', '2020-01-01');

INSERT INTO cell (is_only, name) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00');

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-23 16:54:44.24413+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-23 16:54:44.24413+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-23 16:54:44.24413+00'),
  ('routines/refuse-change-of-closed-brand', '88e176304004fe2d8da548149051339b7805b84295b28fa3eb397913e2c9fb28', '3', '2026-11-23 16:54:44.24413+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '6', '2026-11-23 16:54:44.24413+00');

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
  ('1', '2026-10-14', '2026-11-23 16:54:45.993+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-15', '2026-11-23 16:54:45.993+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
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
  ('1', 'content_engagement', '2026-10-14', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-15', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-14', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-15', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-14', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-15', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-14', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-15', '1', '2026-11-23 16:54:45.993+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_layers (brand_id, dataset, day, generations) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '{8,9}');

INSERT INTO analytics.generation_attempts (brand_id, generation, started_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '10', '2026-11-23 16:54:46.437+00');

INSERT INTO analytics.stale_layers (brand_id, generation, dataset, day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', 'daily', '2026-01-01', '2026-11-23 16:54:46.437+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-23 16:54:46.437+00');

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
