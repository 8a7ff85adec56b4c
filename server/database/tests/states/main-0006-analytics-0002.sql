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
    x.updated_at + COALESCE(x.micros::integer, 0)::double precision * '00:00:00.000001'::interval AS updated_at,
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
     CROSS JOIN LATERAL ROWS FROM(unnest(p.skus), unnest(p.location_codes), unnest(p.quantities), unnest(p.reserved), unnest(p.updated_ats), unnest(p.updated_micros), string_to_table(p.results, NULL::text)) WITH ORDINALITY x(sku, location_code, quantity, reserved, updated_at, micros, letter, n)
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
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-27 03:18:54.580735+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-27 03:18:54.580735+00'),
  ('0003-refusals-limits-and-alerts', 'c1b86a17c451e4833d0bb63bc906f7eff6f375d949f26470d5375e1093b3f833', '2026-11-27 03:18:54.580735+00'),
  ('0004-drop-withdrawn-features', '6ceaac7482c01388cd0e752e309b61a9584f2d27d3fb28be1835ee5d6a48a633', '2026-11-27 03:18:54.580735+00'),
  ('0005-times-of-sources-to-the-microsecond', 'b199ee676334a7d30d0f60438de83e12e87acc61bb7d1a40b25068c656bedd0b', '2026-11-27 03:18:54.580735+00'),
  ('0006-refusals-mutes-and-actors', 'ad5b3e3fe0447c9aea89dd2f23462608f8da516730c7f4f64c532585ce141993', '2026-11-27 03:18:54.580735+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/claim-idempotency-keys', 'd534e3d0637481962c2f6a27069280dba9dacd7f190086c73d05168687d3a5c8', '5', '2026-11-27 03:18:54.580735+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '6', '2026-11-27 03:18:54.580735+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '7', '2026-11-27 03:18:54.580735+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-27 03:18:54.580735+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-27 03:18:54.580735+00'),
  ('views/stock-feed-lines', 'b5cc0eafd8f5e5cc48736189650fd7146e0b7b6b7a434d51bde09972224ac0dd', '3', '2026-11-27 03:18:54.580735+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '4', '2026-11-27 03:18:54.580735+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '23', '2026-11-27 03:18:54.580735+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, closed_at, exported_at, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-27 03:18:57.054+00', '2026-11-27 03:18:57.054+00', NULL, NULL, '{"until": null, "limits": {"catalog_brand": 9000}}');

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, brand_is_closed, last_refused_at, last_refused_code, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_3a693cb0813e6ea5363fe475', '1', E'\\xdea3bfd9d8b34ad333d2528d92e711e9733c5cafb249b39338f0dcbbd358663b', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-27 03:18:57.222+00', NULL, NULL, '2026-11-27 03:18:57.141+00', NULL, NULL, 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '2', 'tuk_992de570809e8c57e2bc9da1', '1', E'\\x16fabc4537b81b0e78cb2ca5d7b5362704d2049017ed44a24b21afe895cc8c5e', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_3a693cb0813e6ea5363fe475', '2026-11-27 03:18:57.84+00', '2026-11-27 03:18:57.226+00', NULL, '127.0.0.1/32', 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '3', 'tuk_8276b7bde28e8f71a4e6b50f', '1', E'\\xa8f88d4d376d01688684591034c355e0bc89113f4dd6c02b4ec77a56a4f35d9f', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-27 03:18:57.244+00', 'tuk_992de570809e8c57e2bc9da1', NULL, 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\xbbff80f5435925c13ab172f0e66c4223488c337e7e74cc9dd008679b2896a6de', 'h9Ia', 'ERP', NULL, '2026-11-27 03:18:57.258+00', NULL, 'false');

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0e4e5600614f5108', E'\\xe18580d5ce7d08463dfb4aa794319e1ae3fd76813e1838b40d4c9ef4f05a3db7', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","variant_tu_id":"VP3B4h1Mt8gE8AUyZBhU6","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-27T03:18:57.718Z","updated_at":"2026-11-27T03:18:57.718Z"},"movement":{"id":5,"product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","variant_tu_id":"VP3B4h1Mt8gE8AUyZBhU6","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_992de570809e8c57e2bc9da1","created_at":"2026-11-27T03:18:57.718Z"}}', '2026-11-27 03:18:57.721+00', 'POST', '/v1/client/catalog/products/cneVHMJnlAVhUD-YZ8RwQ/stock/adjust', 'tuk_992de570809e8c57e2bc9da1', '47c7f1f2-feb3-4cf6-a5ab-95bf13aeb207'),
  ('1', '1', '22101bf2581b0128', E'\\x25970882fe63660d1e11668e938e1270c9bf246a62ed8024fe13f4160392cef3', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","variant_tu_id":"kt6COcMVBuSSB7UxF55WS","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-27T03:18:57.691Z","updated_at":"2026-11-27T03:18:57.691Z"},"movement":{"id":4,"product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","variant_tu_id":"kt6COcMVBuSSB7UxF55WS","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_992de570809e8c57e2bc9da1","created_at":"2026-11-27T03:18:57.691Z"}}', '2026-11-27 03:18:57.694+00', 'POST', '/v1/client/catalog/products/cneVHMJnlAVhUD-YZ8RwQ/stock/adjust', 'tuk_992de570809e8c57e2bc9da1', 'bc300c81-d207-4b04-8697-8b160e9bd837'),
  ('1', '1', '46ff5f50ad276e3d', E'\\x268e975751b73e21ab09c2c8c7c4372b0bfa553a7d14fdc8b4b18660dd69adee', '201', '{}', '{"tu_id":"sobj-6BeLm2GFhayvPAT0","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","created_at":"2026-11-27T03:18:57.633Z","updated_at":"2026-11-27T03:18:57.633Z"}', '2026-11-27 03:18:57.643+00', 'POST', '/v1/client/catalog/products/cneVHMJnlAVhUD-YZ8RwQ/variants', 'tuk_992de570809e8c57e2bc9da1', '3213701a-345f-44d2-8c1f-63873c211f6e'),
  ('1', '1', '6920ab1689ce315c', E'\\x8f050fa33e9d35af17f7cf559b834e873704294f9054b0f677d1f6fd822f25ee', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-27T03:18:57.531Z","updated_at":"2026-11-27T03:18:57.531Z"},"movement":{"id":3,"product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_992de570809e8c57e2bc9da1","created_at":"2026-11-27T03:18:57.531Z"}}', '2026-11-27 03:18:57.533+00', 'POST', '/v1/client/catalog/products/W-8fGcps8azMam4SQQw3N/stock/adjust', 'tuk_992de570809e8c57e2bc9da1', '37f4e665-5ff6-4a83-922d-29e04e2125bb'),
  ('1', '1', '70d1014b28e7b463', E'\\x5f2f2398b4cabc09baf7e1eb17275639a8023471d9fa19e820609d41ed37821b', '201', '{}', '{"tu_id":"VP3B4h1Mt8gE8AUyZBhU6","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","created_at":"2026-11-27T03:18:57.675Z","updated_at":"2026-11-27T03:18:57.675Z"}', '2026-11-27 03:18:57.679+00', 'POST', '/v1/client/catalog/products/cneVHMJnlAVhUD-YZ8RwQ/variants', 'tuk_992de570809e8c57e2bc9da1', 'c5f73b75-9077-4af9-beb0-ea99e46c53ba'),
  ('1', '1', '85b828e6c2b318ba', E'\\xe059eb8a09da03d41fc83b7da1129342fb9c6ab4fa9143cf39af2bb998e02d6e', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-27T03:18:57.513Z","updated_at":"2026-11-27T03:18:57.513Z"},"movement":{"id":2,"product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_992de570809e8c57e2bc9da1","created_at":"2026-11-27T03:18:57.513Z"}}', '2026-11-27 03:18:57.516+00', 'POST', '/v1/client/catalog/products/W-8fGcps8azMam4SQQw3N/stock/adjust', 'tuk_992de570809e8c57e2bc9da1', '3dedaf7c-ce18-4d0c-a51c-b0993356c244'),
  ('1', '1', 'a5eb3bc6c744c9a3', E'\\x17d5c856255569fd1db3e80e07a67d2ee55a3d9e986e1806205aa2c721e93168', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-27T03:18:57.464Z","updated_at":"2026-11-27T03:18:57.464Z"},"movement":{"id":1,"product_tu_id":"W-8fGcps8azMam4SQQw3N","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-27T03:18:57.464Z"}}', '2026-11-27 03:18:57.468+00', 'POST', '/v1/client/catalog/products/W-8fGcps8azMam4SQQw3N/stock/adjust', 'tuk_992de570809e8c57e2bc9da1', 'a7df891a-6d08-4498-9db1-9f7415f8c720'),
  ('1', '1', 'e1dad30b51897a2a', E'\\x7b9453b79269e6472d1946d314a247903d940b656e86c5a7c26100cd7f3d72b4', '201', '{}', '{"tu_id":"kt6COcMVBuSSB7UxF55WS","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"cneVHMJnlAVhUD-YZ8RwQ","created_at":"2026-11-27T03:18:57.661Z","updated_at":"2026-11-27T03:18:57.661Z"}', '2026-11-27 03:18:57.666+00', 'POST', '/v1/client/catalog/products/cneVHMJnlAVhUD-YZ8RwQ/variants', 'tuk_992de570809e8c57e2bc9da1', '8cdae110-2367-4eb6-9cf0-697d6f94097c'),
  ('1', '1', 'e43def827ccc84cc', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"W-8fGcps8azMam4SQQw3N","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-27T03:18:57.394Z","updated_at":"2026-11-27T03:18:57.394Z","axes":[],"variants":[]}', '2026-11-27 03:18:57.399+00', 'POST', '/v1/client/catalog/products', 'tuk_992de570809e8c57e2bc9da1', '9268e745-524c-46ac-931d-3d54a4831ea8'),
  ('1', '1', 'f60c5b8b1da2dae8', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"cneVHMJnlAVhUD-YZ8RwQ","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-27T03:18:57.588Z","updated_at":"2026-11-27T03:18:57.588Z","axes":[],"variants":[]}', '2026-11-27 03:18:57.589+00', 'POST', '/v1/client/catalog/products', 'tuk_992de570809e8c57e2bc9da1', 'b799f61d-ae9d-4506-9221-96b5f111fc56');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-27 03:00:00+00', '', 'postLearningEvents', NULL, '6', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'getStockFeedReport', 'catalog.stock:read', '2', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-27 03:00:00+00', 'tuk_992de570809e8c57e2bc9da1', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_9acc5198787418abd1fa69df', E'\\x8b27d53346a435ef7477cee2a30e6042299507333ffb45f80febd024e56c8ff8', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-27 03:18:57.277+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\x29489de68fa5e5624ffa0a4b6d8ce090a76bcac1384729fbc743d06c5cffae88', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-27 03:18:57.292+00', '2026-11-27 03:18:57.292+00', '2026-11-27 15:18:57.292+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-27 03:18:57.742+00', '2', '1', '1', '0', '1795749537084');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'cneVHMJnlAVhUD-YZ8RwQ'),
  ('1', 'PARENT-L', 'variant', 'VP3B4h1Mt8gE8AUyZBhU6'),
  ('1', 'PARENT-M', 'variant', 'kt6COcMVBuSSB7UxF55WS'),
  ('1', 'PARENT-S', 'variant', 'sobj-6BeLm2GFhayvPAT0'),
  ('1', 'SIMPLE', 'product', 'W-8fGcps8azMam4SQQw3N');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'W-8fGcps8azMam4SQQw3N', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-27 03:18:57.394+00', '2026-11-27 03:18:57.431+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'cneVHMJnlAVhUD-YZ8RwQ', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-27 03:18:57.588+00', '2026-11-27 03:18:57.742+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-27 03:18:57.574+00', '2026-11-27 03:18:57.574+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-27 03:18:57.574+00', '2026-11-27 03:18:57.574+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-27 03:18:57.574+00', '2026-11-27 03:18:57.574+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-27 03:18:57.574+00', '2026-11-27 03:18:57.574+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'sobj-6BeLm2GFhayvPAT0', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-27 03:18:57.633+00', '2026-11-27 03:18:57.633+00'),
  ('1', '2', '2', 'kt6COcMVBuSSB7UxF55WS', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-27 03:18:57.661+00', '2026-11-27 03:18:57.661+00'),
  ('1', '3', '2', 'VP3B4h1Mt8gE8AUyZBhU6', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-27 03:18:57.742+00', '2026-11-27 03:18:57.675+00', '2026-11-27 03:18:57.742+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-27 03:18:57.338+00', '2026-11-27 03:18:57.338+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-27 03:18:57.362+00', '2026-11-27 03:18:57.362+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-27 03:18:57.691+00', '2026-11-27 03:18:57.691+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at, source_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-27 03:18:57.513+00', 'false', '2026-11-27 03:18:57.513+00', '0'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-27 03:18:57.531+00', 'false', '2026-11-27 03:18:57.531+00', '0'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-27 03:18:57.691+00', 'false', '2026-11-27 03:18:57.691+00', '0'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-27 03:18:57.718+00', 'false', '2026-11-27 03:18:57.748+00', '0'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-27 03:18:57.765+00', 'true', '2026-11-27 03:18:57.805+00', '0');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-27 03:18:57.464+00', 'tuk_992de570809e8c57e2bc9da1', 'a7df891a-6d08-4498-9db1-9f7415f8c720', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_992de570809e8c57e2bc9da1', '2026-11-27 03:18:57.513+00', 'tuk_992de570809e8c57e2bc9da1', '3dedaf7c-ce18-4d0c-a51c-b0993356c244', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_992de570809e8c57e2bc9da1', '2026-11-27 03:18:57.531+00', 'tuk_992de570809e8c57e2bc9da1', '37f4e665-5ff6-4a83-922d-29e04e2125bb', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_992de570809e8c57e2bc9da1', '2026-11-27 03:18:57.691+00', 'tuk_992de570809e8c57e2bc9da1', 'bc300c81-d207-4b04-8697-8b160e9bd837', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_992de570809e8c57e2bc9da1', '2026-11-27 03:18:57.718+00', 'tuk_992de570809e8c57e2bc9da1', '47c7f1f2-feb3-4cf6-a5ab-95bf13aeb207', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:x98UsLAJKeFsoPtQOT2Hq', '2026-11-27 03:18:57.805+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-27 03:18:57.805+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-27 03:18:57.464+00', '{1}'),
  ('1', '2', '2026-11-27 03:18:57.513+00', '{1}'),
  ('1', '3', '2026-11-27 03:18:57.531+00', '{2}'),
  ('1', '4', '2026-11-27 03:18:57.691+00', '{3}'),
  ('1', '5', '2026-11-27 03:18:57.718+00', '{4}'),
  ('1', '6', '2026-11-27 03:18:57.748+00', '{4}'),
  ('1', '7', '2026-11-27 03:18:57.805+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'x98UsLAJKeFsoPtQOT2Hq', '35bcc5dd94675feb', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-27 03:18:57.765+00', '2026-11-27 03:18:57.829+00', '2026-11-27 03:18:57.829+00', NULL, 'tuk_992de570809e8c57e2bc9da1', 'f273bc96-6491-4ef6-82d2-86a3affe6bfa', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results, updated_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-27 03:18:57.765+00","2020-01-01 00:00:00+00","2026-11-27 03:18:57.765+00"}', 'apk', NULL);

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-27 03:18:57.765+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-27 03:18:57.877+00', '2026-11-27 03:18:57.877+00'),
  ('1', '2', 'south', NULL, '2026-11-27 03:18:57.878+00', '2026-11-27 03:18:57.878+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-27 03:18:57.92+00', '2026-11-27 03:18:57.925+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-27 03:18:57.956+00', '2026-11-27 03:18:57.956+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-27 03:18:57.956+00', '2026-11-27 03:18:57.956+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-27 03:18:57.956+00', '2026-11-27 03:18:57.956+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-27 03:18:58.508+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-27 03:18:58.509+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-27 03:18:57.99+00', '2026-11-27 03:18:57.99+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-27 03:18:57.991+00', '2026-11-27 03:18:57.991+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-27 03:18:58.048+00', '2026-11-27 03:18:58.048+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-27 03:18:58.511+00', '3', '2020-01-01');

INSERT INTO refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address, count, minute, message, errors, required_scopes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-03-01 08:30:10+00', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client', '401', 'unauthenticated', 'revoked', '{größe}', '203.0.113.7/32', '3', '2026-03-01 08:30:00+00', NULL, NULL, NULL);

INSERT INTO alerts (id, concern, kind, at, details, created_at, attempts, next_attempt_at, sent_at) OVERRIDING SYSTEM VALUE VALUES
  ('8aacd67c-f5f2-49d9-aed8-3f8bc58c787d', 'doctor_found/größe', 'doctor_found', '2026-03-01 08:30:00+00', '{"differences": 3}', '2026-03-01 08:31:00+00', '2', '2026-03-01 08:35:00+00', NULL);

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-27 03:18:57.089+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', 'e894e0f1-a146-47ea-b4c4-1da9bb36ca80', NULL),
  ('10', '2026-11-27 03:18:57.961+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', '9013df83-1216-422d-af97-dc28911b0e1f', NULL),
  ('11', '2026-11-27 03:18:57.999+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', 'b015e7b2-3075-499f-948f-52e454253d79', NULL),
  ('12', '2026-11-27 03:18:58.344+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-18/2026-10-19', '{"days": 2}', 'admin-token', '127.0.0.1/32', '7a515ded-555a-4752-9852-1bfc5f8e2d57', NULL),
  ('2', '2026-11-27 03:18:57.151+00', 'api_key.create', '1', 'api_key', 'tuk_3a693cb0813e6ea5363fe475', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '93d95865-0730-475c-a2af-d18a716aaf5a', NULL),
  ('3', '2026-11-27 03:18:57.227+00', 'api_key.rotate', '1', 'api_key', 'tuk_3a693cb0813e6ea5363fe475', '{"successor_key_id": "tuk_992de570809e8c57e2bc9da1"}', 'admin-token', '127.0.0.1/32', 'be6dc027-4b6d-4483-b5e7-1b37b292cc4c', NULL),
  ('4', '2026-11-27 03:18:57.246+00', 'api_key.create', '1', 'api_key', 'tuk_8276b7bde28e8f71a4e6b50f', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_992de570809e8c57e2bc9da1"}', 'admin-token', '127.0.0.1/32', '18aad67f-d648-48be-a8d9-63d932d2396d', NULL),
  ('5', '2026-11-27 03:18:57.259+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '4ba70075-e9b4-4403-a223-b0e6bf041817', NULL),
  ('6', '2026-11-27 03:18:57.279+00', 'administrator.create', NULL, 'administrator', 'bpa_9acc5198787418abd1fa69df', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', '58b2891a-2947-4533-90ee-0d21bee327c7', NULL),
  ('7', '2026-11-27 03:18:57.296+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-27T15:18:57.292Z"}', 'admin-token', '127.0.0.1/32', '55087c31-e943-4b9f-b693-fd05acfc2c11', NULL),
  ('8', '2026-11-27 03:18:57.885+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '2a934055-6d5f-43de-abb1-1b52e449eee1', NULL),
  ('9', '2026-11-27 03:18:57.933+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '7f400037-87de-4cce-a449-ba8b5fa9e955', NULL);

INSERT INTO muted_concerns (id, muted_at, muted_until, actor) OVERRIDING SYSTEM VALUE VALUES
  ('keys_unused.0123456789abcdef', '2026-11-27 03:18:58.515+00', NULL, 'admin-token');

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-27 03:18:55.340541+00'),
  ('0002-one-generation-of-a-day', '40bfb87b5b2b5052c289b2a457cbf497a92092627b2894759bca0f9358051f38', '2026-11-27 03:18:55.340541+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-27 03:18:55.340541+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-27 03:18:55.340541+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '7', '2026-11-27 03:18:55.340541+00');

INSERT INTO analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-18', 'ann-0', '2026-10-18 10:00:00+00', 'completion', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-18', 'ben-0', '2026-10-18 10:00:00+00', 'completion', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-19', 'ann-1', '2026-10-19 10:00:00+00', 'view', '1', '3', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-19', 'ben-1', '2026-10-19 10:00:00+00', 'view', '2', '3', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-26', 'ann-2', '2026-11-26 10:00:00+00', 'view', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-26', 'ben-2', '2026-11-26 10:00:00+00', 'view', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0');

INSERT INTO analytics.event_claims (brand_id, event_id, day) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'ann-0', '2026-10-18'),
  ('1', 'ann-1', '2026-10-19'),
  ('1', 'ann-2', '2026-11-26'),
  ('1', 'ben-0', '2026-10-18'),
  ('1', 'ben-1', '2026-10-19'),
  ('1', 'ben-2', '2026-11-26');

INSERT INTO analytics.brand_days (brand_id, day, aggregated_at, changes, aggregated_changes, row_counts, events, aggregated_events) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-18', '2026-11-27 03:18:58.151+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-19', '2026-11-27 03:18:58.151+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-11-26', NULL, '1', '0', '{}', '2', '0');

INSERT INTO analytics.event_retention (is_only, kept_since) OVERRIDING SYSTEM VALUE VALUES
  ('true', '2020-01-01');

INSERT INTO analytics.daily (brand_id, day, market_id, live_episodes, live_programs, live_quests, live_products, active_users, views, completions, successes, xp_earned, time_spent_seconds, episode_views, episode_completions, episode_successes, episode_time_spent_seconds, episode_progress_sum, episode_progress_count, episode_score_sum, episode_score_count, program_views, program_completions, program_successes, program_time_spent_seconds, program_progress_sum, program_progress_count, program_score_sum, program_score_count, quest_views, quest_completions, quest_successes, quest_time_spent_seconds, quest_progress_sum, quest_progress_count, quest_score_sum, quest_score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-18', '0', '1', '0', '0', '1', '2', '0', '2', '0', '0', '120', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '0', '0'),
  ('1', '2026-10-18', '1', '1', '0', '0', '1', '1', '0', '1', '0', '0', '60', '0', '1', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0'),
  ('1', '2026-10-18', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2026-10-19', '0', '1', '0', '0', '1', '2', '2', '0', '0', '0', '120', '2', '0', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '2', '0', '0'),
  ('1', '2026-10-19', '1', '1', '0', '0', '1', '1', '1', '0', '0', '0', '60', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '0'),
  ('1', '2026-10-19', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.contents (brand_id, content_ref_id, day, content_type, total_users, views, unique_views, completions, successes, active_users, xp_earned, time_spent_seconds, questions, progress_sum, progress_count, score_sum, score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_progress_sum, cumulative_progress_count, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-18', 'episode', '2', '0', '0', '2', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0'),
  ('1', '3', '2026-10-19', 'episode', '2', '2', '2', '0', '0', '2', '0', '120', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.users (brand_id, user_id, day, views, completions, successes, xp_earned, time_spent_seconds, score_sum, score_count, episode_views, episode_completions, episode_successes, program_views, program_completions, program_successes, quest_views, quest_completions, quest_successes, cumulative_views, cumulative_completions, cumulative_successes, cumulative_episode_views, cumulative_episode_completions, cumulative_episode_successes, cumulative_program_views, cumulative_program_completions, cumulative_program_successes, cumulative_quest_views, cumulative_quest_completions, cumulative_quest_successes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-18', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '1', '2026-10-19', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-18', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-19', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.content_engagement (brand_id, content_ref_id, day, user_id, content_type, views, completions, successes, xp_earned, time_spent_seconds, questions, answered, score_sum, score_count, cumulative_views, cumulative_xp_earned, cumulative_time_spent_seconds, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-18', '1', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '1', '2026-10-18', '2', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '3', '2026-10-19', '1', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0'),
  ('1', '3', '2026-10-19', '2', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0');

INSERT INTO analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at, aggregated_revision, exclusion_revision, directory_revision, corrected_revision) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-18', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-19', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-18', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-19', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-18', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-19', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-18', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-19', '1', '2026-11-27 03:18:58.151+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since, before) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-27 03:18:58.504+00', '9');

INSERT INTO analytics.published_generations (brand_id, dataset, day, generation) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '8');

INSERT INTO analytics.unpublished_generations (brand_id, generation, from_day, to_day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', '2026-01-01', '2026-01-02', '2026-11-27 03:18:58.504+00');

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
