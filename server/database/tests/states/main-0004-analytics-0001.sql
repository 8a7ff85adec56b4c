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
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-26 15:16:51.296644+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-26 15:16:51.296644+00'),
  ('0003-refusals-limits-and-alerts', 'c1b86a17c451e4833d0bb63bc906f7eff6f375d949f26470d5375e1093b3f833', '2026-11-26 15:16:51.296644+00'),
  ('0004-drop-withdrawn-features', '4ef08bec1f90d2ef534830cac4716db8beeb2fa1c0bdd16b4277437275efce33', '2026-11-26 15:16:51.296644+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/claim-idempotency-keys', 'cdcef82a46611c149f26d123a46107c07214e0687ea1c8d9a5b356fc3222dc7c', '5', '2026-11-26 15:16:51.296644+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '6', '2026-11-26 15:16:51.296644+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '7', '2026-11-26 15:16:51.296644+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-26 15:16:51.296644+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-26 15:16:51.296644+00'),
  ('views/stock-feed-lines', 'be1400d728848de9a61872b7063762f770ea3f8be18e7f415f2ad25477c59cb0', '3', '2026-11-26 15:16:51.296644+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '4', '2026-11-26 15:16:51.296644+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '19', '2026-11-26 15:16:51.296644+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-26 15:16:54.202+00', '2026-11-26 15:16:54.202+00', '{"until": null, "limits": {"catalog_brand": 9000}}');

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, last_refused_at, last_refused_code, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_5d5804743d796d6543101f95', '1', E'\\xaf4f127e3289007d6c913e040aca560282c1e8baeea1345935a6dab4cb13750f', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-26 15:16:54.281+00', NULL, NULL, '2026-11-26 15:16:54.254+00', NULL, NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '2', 'tuk_f5b0ee82993006a6a41a3cfc', '1', E'\\x7cbc9ea50ead8e84c254790b5abbd36ee2ccc6c1fcb45f78d0655cbc2eeaf9b3', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_5d5804743d796d6543101f95', '2026-11-26 15:16:55.352+00', '2026-11-26 15:16:54.283+00', NULL, '127.0.0.1/32', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '3', 'tuk_5ec38a4ed884bccca7ea4e2f', '1', E'\\x6bce7fa66bf82ceb6d20bafba1814712c4b8fabf8e81178c5163d5bd05ee5000', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-26 15:16:54.299+00', 'tuk_f5b0ee82993006a6a41a3cfc', NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x620cb26028639066788d3ed8af5f0e7809a2ad2b75cbd5e47216b8e80e60eb9c', 'nbfB', 'ERP', NULL, '2026-11-26 15:16:54.322+00', NULL);

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '055cfeb80530947e', E'\\x72b7ac341472170fdbd749023775abc52c444c656494099c008f6e6206084ad4', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-26T15:16:54.742Z","updated_at":"2026-11-26T15:16:54.742Z"},"movement":{"id":3,"product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_f5b0ee82993006a6a41a3cfc","created_at":"2026-11-26T15:16:54.742Z"}}', '2026-11-26 15:16:54.747+00', 'POST', '/v1/client/catalog/products/u9Tx1eq7CcRkhO_pX1GiL/stock/adjust', 'tuk_f5b0ee82993006a6a41a3cfc', 'e5755f48-576b-4c09-8848-59f6aa7caa15'),
  ('1', '1', '3e6cddcf63439c2d', E'\\x8097474785bfcf13069bd0b71a4d296eb000e455380f66c46155ec6d9f11005d', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"9AVnlYoVulNRJyrZlJOUl","variant_tu_id":"cLrqlVt-RXKg4YZ_Qlp0o","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-26T15:16:55.124Z","updated_at":"2026-11-26T15:16:55.124Z"},"movement":{"id":4,"product_tu_id":"9AVnlYoVulNRJyrZlJOUl","variant_tu_id":"cLrqlVt-RXKg4YZ_Qlp0o","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_f5b0ee82993006a6a41a3cfc","created_at":"2026-11-26T15:16:55.124Z"}}', '2026-11-26 15:16:55.13+00', 'POST', '/v1/client/catalog/products/9AVnlYoVulNRJyrZlJOUl/stock/adjust', 'tuk_f5b0ee82993006a6a41a3cfc', 'afa522c9-bfa9-41c4-9cda-2b68c0ce712d'),
  ('1', '1', '40545264f5ae47dd', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"9AVnlYoVulNRJyrZlJOUl","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-26T15:16:54.827Z","updated_at":"2026-11-26T15:16:54.827Z","axes":[],"variants":[]}', '2026-11-26 15:16:54.837+00', 'POST', '/v1/client/catalog/products', 'tuk_f5b0ee82993006a6a41a3cfc', '0ffa26a7-9e81-40f2-83b1-4244b9b08087'),
  ('1', '1', '776e189cb50e59ba', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"u9Tx1eq7CcRkhO_pX1GiL","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-26T15:16:54.496Z","updated_at":"2026-11-26T15:16:54.496Z","axes":[],"variants":[]}', '2026-11-26 15:16:54.51+00', 'POST', '/v1/client/catalog/products', 'tuk_f5b0ee82993006a6a41a3cfc', 'fc35411d-ad81-4577-bcb8-cd10d763045f'),
  ('1', '1', '8fddb9644b9bb276', E'\\x6cd038187efa4d909533d429fe113aa30c827170a82165fb4beed6044aba048e', '201', '{}', '{"tu_id":"SZ6hFWsHcIp3t0drAcVID","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"9AVnlYoVulNRJyrZlJOUl","created_at":"2026-11-26T15:16:54.981Z","updated_at":"2026-11-26T15:16:54.981Z"}', '2026-11-26 15:16:54.998+00', 'POST', '/v1/client/catalog/products/9AVnlYoVulNRJyrZlJOUl/variants', 'tuk_f5b0ee82993006a6a41a3cfc', '003b9ba3-ae00-4258-b2c6-71480f477320'),
  ('1', '1', 'a9b7520630a46017', E'\\x509127e1ab66e00a2015b5c57a737cda1061e5cd3f0486fdff4a3087e5bb7d61', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-26T15:16:54.694Z","updated_at":"2026-11-26T15:16:54.694Z"},"movement":{"id":2,"product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_f5b0ee82993006a6a41a3cfc","created_at":"2026-11-26T15:16:54.694Z"}}', '2026-11-26 15:16:54.7+00', 'POST', '/v1/client/catalog/products/u9Tx1eq7CcRkhO_pX1GiL/stock/adjust', 'tuk_f5b0ee82993006a6a41a3cfc', '24a4adb5-d434-4e5c-b191-b06505c0ce4f'),
  ('1', '1', 'b2e2e24815e7fb34', E'\\x0e3953ce9a6b9c7894dd8e19323d02412c057831fb0f1f4550094a4f10018048', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-26T15:16:54.627Z","updated_at":"2026-11-26T15:16:54.627Z"},"movement":{"id":1,"product_tu_id":"u9Tx1eq7CcRkhO_pX1GiL","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-26T15:16:54.627Z"}}', '2026-11-26 15:16:54.644+00', 'POST', '/v1/client/catalog/products/u9Tx1eq7CcRkhO_pX1GiL/stock/adjust', 'tuk_f5b0ee82993006a6a41a3cfc', 'a44eecce-1f54-4469-b516-3f7fe672b2b5'),
  ('1', '1', 'd1efb4a84dce4899', E'\\x72bc71376cdd17903d28a685089a8bdf29e478e8ffe3a8a8b4e23abe64cad029', '201', '{}', '{"tu_id":"cLrqlVt-RXKg4YZ_Qlp0o","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"9AVnlYoVulNRJyrZlJOUl","created_at":"2026-11-26T15:16:55.060Z","updated_at":"2026-11-26T15:16:55.060Z"}', '2026-11-26 15:16:55.069+00', 'POST', '/v1/client/catalog/products/9AVnlYoVulNRJyrZlJOUl/variants', 'tuk_f5b0ee82993006a6a41a3cfc', '1e044760-f4ff-4216-9699-e8621d6e4426'),
  ('1', '1', 'd710d586959b9f55', E'\\x82b743fe63d9910fd8047f1b2d1e6dcf813c9e32c446b1372fb9230c86149c2b', '201', '{}', '{"tu_id":"DHF25SiFlblxQUUMBX4JR","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"9AVnlYoVulNRJyrZlJOUl","created_at":"2026-11-26T15:16:55.087Z","updated_at":"2026-11-26T15:16:55.087Z"}', '2026-11-26 15:16:55.09+00', 'POST', '/v1/client/catalog/products/9AVnlYoVulNRJyrZlJOUl/variants', 'tuk_f5b0ee82993006a6a41a3cfc', '7ecf1401-5d2d-4f14-91a9-d81d98a5991a'),
  ('1', '1', 'eac59d0f547ee0b3', E'\\x9e8cc4205042671e8a60ddc50dd804b011982ce5fea7611ea167384889350ba4', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"9AVnlYoVulNRJyrZlJOUl","variant_tu_id":"DHF25SiFlblxQUUMBX4JR","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-26T15:16:55.165Z","updated_at":"2026-11-26T15:16:55.165Z"},"movement":{"id":5,"product_tu_id":"9AVnlYoVulNRJyrZlJOUl","variant_tu_id":"DHF25SiFlblxQUUMBX4JR","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_f5b0ee82993006a6a41a3cfc","created_at":"2026-11-26T15:16:55.165Z"}}', '2026-11-26 15:16:55.166+00', 'POST', '/v1/client/catalog/products/9AVnlYoVulNRJyrZlJOUl/stock/adjust', 'tuk_f5b0ee82993006a6a41a3cfc', 'ae6c6065-5e30-49f0-850f-6f66601d5354');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-26 15:00:00+00', '', 'postLearningEvents', NULL, '6', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'getStockFeedReport', 'catalog.stock:read', '2', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-26 15:00:00+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_762c270e2b411c03416dbcbe', E'\\xe7a5eca3bf33f34916428920c89d0423a3b9f24ffcb680fe242012c700e5b838', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-26 15:16:54.356+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\xbe89707b4704b4455690d52542f72bdb997c17e658bfb157d661d0966fc61118', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-26 15:16:54.381+00', '2026-11-26 15:16:54.381+00', '2026-11-27 03:16:54.381+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-26 15:16:55.18+00', '2', '1', '1', '0', '1795706214204');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', '9AVnlYoVulNRJyrZlJOUl'),
  ('1', 'PARENT-L', 'variant', 'DHF25SiFlblxQUUMBX4JR'),
  ('1', 'PARENT-M', 'variant', 'cLrqlVt-RXKg4YZ_Qlp0o'),
  ('1', 'PARENT-S', 'variant', 'SZ6hFWsHcIp3t0drAcVID'),
  ('1', 'SIMPLE', 'product', 'u9Tx1eq7CcRkhO_pX1GiL');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'u9Tx1eq7CcRkhO_pX1GiL', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-26 15:16:54.496+00', '2026-11-26 15:16:54.59+00', '0', '0', '0', NULL, NULL),
  ('1', '2', '9AVnlYoVulNRJyrZlJOUl', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-26 15:16:54.827+00', '2026-11-26 15:16:55.18+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-26 15:16:54.782+00', '2026-11-26 15:16:54.782+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-26 15:16:54.782+00', '2026-11-26 15:16:54.782+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-26 15:16:54.782+00', '2026-11-26 15:16:54.782+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-26 15:16:54.782+00', '2026-11-26 15:16:54.782+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'SZ6hFWsHcIp3t0drAcVID', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-26 15:16:54.981+00', '2026-11-26 15:16:54.981+00'),
  ('1', '2', '2', 'cLrqlVt-RXKg4YZ_Qlp0o', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-26 15:16:55.06+00', '2026-11-26 15:16:55.06+00'),
  ('1', '3', '2', 'DHF25SiFlblxQUUMBX4JR', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-26 15:16:55.18+00', '2026-11-26 15:16:55.087+00', '2026-11-26 15:16:55.18+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-26 15:16:54.412+00', '2026-11-26 15:16:54.412+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-26 15:16:54.446+00', '2026-11-26 15:16:54.446+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-26 15:16:55.124+00', '2026-11-26 15:16:55.124+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-26 15:16:54.694+00', 'false', '2026-11-26 15:16:54.694+00'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-26 15:16:54.742+00', 'false', '2026-11-26 15:16:54.742+00'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-26 15:16:55.124+00', 'false', '2026-11-26 15:16:55.124+00'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-26 15:16:55.165+00', 'false', '2026-11-26 15:16:55.195+00'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-26 15:16:55.234+00', 'true', '2026-11-26 15:16:55.287+00');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-26 15:16:54.627+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'a44eecce-1f54-4469-b516-3f7fe672b2b5', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_f5b0ee82993006a6a41a3cfc', '2026-11-26 15:16:54.694+00', 'tuk_f5b0ee82993006a6a41a3cfc', '24a4adb5-d434-4e5c-b191-b06505c0ce4f', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_f5b0ee82993006a6a41a3cfc', '2026-11-26 15:16:54.742+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'e5755f48-576b-4c09-8848-59f6aa7caa15', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_f5b0ee82993006a6a41a3cfc', '2026-11-26 15:16:55.124+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'afa522c9-bfa9-41c4-9cda-2b68c0ce712d', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_f5b0ee82993006a6a41a3cfc', '2026-11-26 15:16:55.165+00', 'tuk_f5b0ee82993006a6a41a3cfc', 'ae6c6065-5e30-49f0-850f-6f66601d5354', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:QjTi8plpOCP9QlZFeELGT', '2026-11-26 15:16:55.287+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-26 15:16:55.287+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-26 15:16:54.627+00', '{1}'),
  ('1', '2', '2026-11-26 15:16:54.694+00', '{1}'),
  ('1', '3', '2026-11-26 15:16:54.742+00', '{2}'),
  ('1', '4', '2026-11-26 15:16:55.124+00', '{3}'),
  ('1', '5', '2026-11-26 15:16:55.165+00', '{4}'),
  ('1', '6', '2026-11-26 15:16:55.195+00', '{4}'),
  ('1', '7', '2026-11-26 15:16:55.287+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'QjTi8plpOCP9QlZFeELGT', '0d802c4a4d1e8c10', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-26 15:16:55.234+00', '2026-11-26 15:16:55.315+00', '2026-11-26 15:16:55.315+00', NULL, 'tuk_f5b0ee82993006a6a41a3cfc', '32150621-f448-4045-ac52-c0390cddfad8', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-26 15:16:55.234+00","2020-01-01 00:00:00+00","2026-11-26 15:16:55.234+00"}', 'apk');

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-26 15:16:55.234+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-26 15:16:55.397+00', '2026-11-26 15:16:55.397+00'),
  ('1', '2', 'south', NULL, '2026-11-26 15:16:55.397+00', '2026-11-26 15:16:55.397+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-26 15:16:55.441+00', '2026-11-26 15:16:55.448+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-26 15:16:55.51+00', '2026-11-26 15:16:55.51+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-26 15:16:55.51+00', '2026-11-26 15:16:55.51+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-26 15:16:55.51+00', '2026-11-26 15:16:55.51+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-26 15:16:56.077+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-26 15:16:56.077+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-26 15:16:55.636+00', '2026-11-26 15:16:55.636+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-26 15:16:55.637+00', '2026-11-26 15:16:55.637+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-26 15:16:55.658+00', '2026-11-26 15:16:55.658+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-26 15:16:56.078+00', '3', '2020-01-01');

INSERT INTO refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address, count, minute) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-03-01 08:30:10+00', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client', '401', 'unauthenticated', 'revoked', '{größe}', '203.0.113.7/32', '3', '2026-03-01 08:30:00+00');

INSERT INTO alerts (id, concern, kind, at, details, created_at, attempts, next_attempt_at, sent_at) OVERRIDING SYSTEM VALUE VALUES
  ('94dd5531-88ba-4e35-a3a7-72fe50fcc4f6', 'doctor_found/größe', 'doctor_found', '2026-03-01 08:30:00+00', '{"differences": 3}', '2026-03-01 08:31:00+00', '2', '2026-03-01 08:35:00+00', NULL);

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-26 15:16:54.206+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', '93aa94bf-ea83-4749-8db8-a56cf2311a4f', NULL),
  ('10', '2026-11-26 15:16:55.601+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', 'a00fd2b0-edc5-44b7-bbe4-33b4af433592', NULL),
  ('11', '2026-11-26 15:16:55.639+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', 'ec1910be-346e-4d67-a486-d20b8c7da05e', NULL),
  ('12', '2026-11-26 15:16:55.853+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-17/2026-10-18', '{"days": 2}', 'admin-token', '127.0.0.1/32', '40ac65dd-5675-4166-ba7c-649c69d9ac03', NULL),
  ('2', '2026-11-26 15:16:54.263+00', 'api_key.create', '1', 'api_key', 'tuk_5d5804743d796d6543101f95', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '24f30f20-6711-4a6c-af64-5b4405d10afa', NULL),
  ('3', '2026-11-26 15:16:54.286+00', 'api_key.rotate', '1', 'api_key', 'tuk_5d5804743d796d6543101f95', '{"successor_key_id": "tuk_f5b0ee82993006a6a41a3cfc"}', 'admin-token', '127.0.0.1/32', 'a55a1ea1-811f-4c88-863d-910f04dfede7', NULL),
  ('4', '2026-11-26 15:16:54.302+00', 'api_key.create', '1', 'api_key', 'tuk_5ec38a4ed884bccca7ea4e2f', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_f5b0ee82993006a6a41a3cfc"}', 'admin-token', '127.0.0.1/32', 'e77cd39c-6405-4c8e-b549-c15af0f2c7b4', NULL),
  ('5', '2026-11-26 15:16:54.324+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '7fcd71f6-da97-4222-baa3-ea6595bf1123', NULL),
  ('6', '2026-11-26 15:16:54.359+00', 'administrator.create', NULL, 'administrator', 'bpa_762c270e2b411c03416dbcbe', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', 'bef41434-2ad9-4383-912f-f650251e9774', NULL),
  ('7', '2026-11-26 15:16:54.384+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-27T03:16:54.381Z"}', 'admin-token', '127.0.0.1/32', 'a8eabe78-aa9a-4ca6-96d4-388aee61eece', NULL),
  ('8', '2026-11-26 15:16:55.404+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', 'cfc0431c-bf94-4815-80da-4dbc9880ff7f', NULL),
  ('9', '2026-11-26 15:16:55.449+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '8ecb65df-8474-4e0f-8bdf-61faeb22bd25', NULL);

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-26 15:16:52.168587+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-26 15:16:52.168587+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-26 15:16:52.168587+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '7', '2026-11-26 15:16:52.168587+00');

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
  ('1', '2026-10-17', '2026-11-26 15:16:55.761+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-18', '2026-11-26 15:16:55.761+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
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
  ('1', 'content_engagement', '2026-10-17', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-18', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-17', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-18', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-17', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-18', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-17', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-18', '1', '2026-11-26 15:16:55.761+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_layers (brand_id, dataset, day, generations) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '{8,9}');

INSERT INTO analytics.generation_attempts (brand_id, generation, started_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '10', '2026-11-26 15:16:56.076+00');

INSERT INTO analytics.stale_layers (brand_id, generation, dataset, day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', 'daily', '2026-01-01', '2026-11-26 15:16:56.076+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-26 15:16:56.076+00');

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
