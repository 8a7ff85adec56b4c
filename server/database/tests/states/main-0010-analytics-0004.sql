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
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-28 05:03:27.961652+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-28 05:03:27.961652+00'),
  ('0003-refusals-limits-and-alerts', 'c1b86a17c451e4833d0bb63bc906f7eff6f375d949f26470d5375e1093b3f833', '2026-11-28 05:03:27.961652+00'),
  ('0004-drop-withdrawn-features', '6ceaac7482c01388cd0e752e309b61a9584f2d27d3fb28be1835ee5d6a48a633', '2026-11-28 05:03:27.961652+00'),
  ('0005-times-of-sources-to-the-microsecond', 'b199ee676334a7d30d0f60438de83e12e87acc61bb7d1a40b25068c656bedd0b', '2026-11-28 05:03:27.961652+00'),
  ('0006-refusals-mutes-and-actors', 'ad5b3e3fe0447c9aea89dd2f23462608f8da516730c7f4f64c532585ce141993', '2026-11-28 05:03:27.961652+00'),
  ('0007-open-feed-lines', 'ab63faa7dd18a4e7cf5d1eda12f7bd4e54bac4d4390997e4a62851f9ccf0db44', '2026-11-28 05:03:27.961652+00'),
  ('0008-refusals-of-no-key', 'a5b8712639569ecfe6777fb42b6291eb04cb08bba99f9b55340bf6b99069ca1d', '2026-11-28 05:03:27.961652+00'),
  ('0009-request-minutes', '394bc19fe595dcefac46abce8721382b6f3f72c3aed2baa970f46f2a5cfbfad5', '2026-11-28 05:03:27.961652+00'),
  ('0010-drop-columns-of-moves', '59fedd0135e5fc45194b5fbf0e65868eca9ca23faa2cc11309855606901bf6de', '2026-11-28 05:03:27.961652+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '5', '2026-11-28 05:03:27.961652+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '6', '2026-11-28 05:03:27.961652+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-28 05:03:27.961652+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-28 05:03:27.961652+00'),
  ('views/stock-feed-lines', 'b5cc0eafd8f5e5cc48736189650fd7146e0b7b6b7a434d51bde09972224ac0dd', '3', '2026-11-28 05:03:27.961652+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '4', '2026-11-28 05:03:27.961652+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '24', '2026-11-28 05:03:27.961652+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-28 05:03:29.461+00', '2026-11-28 05:03:29.461+00', '{"until": null, "limits": {"catalog_brand": 9000}}');

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, last_refused_at, last_refused_code, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_7318ecc0378543e3c7c2b9c1', '1', E'\\x20ace8254003ebdb07e4cd8b0ffa7d346ef37c474d9414e0754837e238cb7563', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-28 05:03:29.495+00', NULL, NULL, '2026-11-28 05:03:29.485+00', NULL, NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '2', 'tuk_80850dfd203310fcbe59f1bd', '1', E'\\x3609e6302be3d7ed4ee1ab8ae543423f950c7b833160a816887ab362442e6a7d', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_7318ecc0378543e3c7c2b9c1', '2026-11-28 05:03:29.77+00', '2026-11-28 05:03:29.496+00', NULL, '127.0.0.1/32', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '3', 'tuk_ebbe6cec851d6beb3b36952c', '1', E'\\x9b824a1a1835c8f535b5c8857337a85d761cb68ab963d98d592007e0a5073acc', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-28 05:03:29.502+00', 'tuk_80850dfd203310fcbe59f1bd', NULL, NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x251f1226cbbfa39b2cc7ff6d8cc5ad520a7505a141e4443e651ccaaa94ca484c', '0dif', 'ERP', NULL, '2026-11-28 05:03:29.511+00', NULL);

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-28 05:03:29.464+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', '7d0e85f9-8211-4fcb-839e-9a3092bc5b4d', NULL),
  ('10', '2026-11-28 05:03:29.87+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', '8ade41d6-db05-4557-b76f-bb6a837fac1a', NULL),
  ('11', '2026-11-28 05:03:29.87+00', 'learner.opt_out', '1', 'learner', 'out', '{"changes": {"analytics_opt_out": {"to": true, "from": null}}}', 'admin-token', '127.0.0.1/32', '8ade41d6-db05-4557-b76f-bb6a837fac1a', NULL),
  ('12', '2026-11-28 05:03:29.888+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '2bf512e4-f01f-465f-b115-55e54f039e96', NULL),
  ('13', '2026-11-28 05:03:30.114+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-19/2026-10-20', '{"days": 2}', 'admin-token', '127.0.0.1/32', '5cb6a288-5912-4c4f-80fa-03380adfb056', NULL),
  ('2', '2026-11-28 05:03:29.486+00', 'api_key.create', '1', 'api_key', 'tuk_7318ecc0378543e3c7c2b9c1', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', 'f836874e-cd8a-491b-b458-ee1d46014d0a', NULL),
  ('3', '2026-11-28 05:03:29.497+00', 'api_key.rotate', '1', 'api_key', 'tuk_7318ecc0378543e3c7c2b9c1', '{"successor_key_id": "tuk_80850dfd203310fcbe59f1bd"}', 'admin-token', '127.0.0.1/32', '55f07f31-fb86-4403-a9c5-6a6740995036', NULL),
  ('4', '2026-11-28 05:03:29.503+00', 'api_key.create', '1', 'api_key', 'tuk_ebbe6cec851d6beb3b36952c', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_80850dfd203310fcbe59f1bd"}', 'admin-token', '127.0.0.1/32', 'a0d89760-97ac-4643-948e-af27945a61b3', NULL),
  ('5', '2026-11-28 05:03:29.512+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '7aab9880-937e-46d5-975a-4167b12d56bd', NULL),
  ('6', '2026-11-28 05:03:29.52+00', 'administrator.create', NULL, 'administrator', 'bpa_609c6b1fa6e79d823396aca3', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', '0f79810e-048c-44c7-b920-19c1f7aa7c9e', NULL),
  ('7', '2026-11-28 05:03:29.539+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-28T17:03:29.526Z"}', 'admin-token', '127.0.0.1/32', '9afe0b49-452e-4288-840d-e826642d838b', NULL),
  ('8', '2026-11-28 05:03:29.831+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '84ca4947-9efa-454a-868b-7f5452208b78', NULL),
  ('9', '2026-11-28 05:03:29.856+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '905b04e3-3883-4115-86dc-341daa942d46', NULL);

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '24372c0c5666f994', E'\\x6f29341a68c82f9680a29ba40cdb8302b98dd25d20151f8aecb9ca37b65b01f2', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","variant_tu_id":"csliznYvtx4Bv6EVKijJp","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-28T05:03:29.723Z","updated_at":"2026-11-28T05:03:29.723Z"},"movement":{"id":5,"product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","variant_tu_id":"csliznYvtx4Bv6EVKijJp","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_80850dfd203310fcbe59f1bd","created_at":"2026-11-28T05:03:29.723Z"}}', '2026-11-28 05:03:29.724+00', 'POST', '/v1/client/catalog/products/KtjjI9JZ_DbQ3awtgAK0J/stock/adjust', 'tuk_80850dfd203310fcbe59f1bd', '0155508d-b850-44b7-abf4-1b28adbe3acc'),
  ('1', '1', '33cad576560579dc', E'\\x508e93140dd776d6cf6bc139c31eb40501b746a54a872c14a0b566f8823d29cc', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","variant_tu_id":"AxeQJtJ2OMCokzhFTgn4h","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-28T05:03:29.715Z","updated_at":"2026-11-28T05:03:29.715Z"},"movement":{"id":4,"product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","variant_tu_id":"AxeQJtJ2OMCokzhFTgn4h","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_80850dfd203310fcbe59f1bd","created_at":"2026-11-28T05:03:29.715Z"}}', '2026-11-28 05:03:29.716+00', 'POST', '/v1/client/catalog/products/KtjjI9JZ_DbQ3awtgAK0J/stock/adjust', 'tuk_80850dfd203310fcbe59f1bd', 'dcd0ac6e-0856-48fb-91a8-07af277477d6'),
  ('1', '1', '3410d30a81948dcc', E'\\xad6940f19f274a2a49a538b4d84be660af7db995c33550be58536cd386cf7888', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-28T05:03:29.644Z","updated_at":"2026-11-28T05:03:29.644Z"},"movement":{"id":3,"product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_80850dfd203310fcbe59f1bd","created_at":"2026-11-28T05:03:29.644Z"}}', '2026-11-28 05:03:29.645+00', 'POST', '/v1/client/catalog/products/Fb9WmgfIiegxrgIsJvU1e/stock/adjust', 'tuk_80850dfd203310fcbe59f1bd', 'bf984152-78f1-4b8d-ae07-f488267a7b9b'),
  ('1', '1', '91f120637f4c9f3c', E'\\x44f95b06e8bc5f9680905078d850e056c5819a80d50e067866e2af05e15b08f6', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-28T05:03:29.630Z","updated_at":"2026-11-28T05:03:29.630Z"},"movement":{"id":1,"product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-28T05:03:29.630Z"}}', '2026-11-28 05:03:29.633+00', 'POST', '/v1/client/catalog/products/Fb9WmgfIiegxrgIsJvU1e/stock/adjust', 'tuk_80850dfd203310fcbe59f1bd', '685a66ac-5ddd-41c4-b2a2-703b0ed2842f'),
  ('1', '1', '931a2f0c1fd2fb63', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"KtjjI9JZ_DbQ3awtgAK0J","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-28T05:03:29.661Z","updated_at":"2026-11-28T05:03:29.661Z","axes":[],"variants":[]}', '2026-11-28 05:03:29.662+00', 'POST', '/v1/client/catalog/products', 'tuk_80850dfd203310fcbe59f1bd', '4dfd18c0-7cb7-4fdb-97e4-be50793e783a'),
  ('1', '1', 'b4c818c8c9784984', E'\\x80d941e9522efba71e71fcbd8f7a24bdb6e3dfbbcb4898e31fdb4a7a93a5520b', '201', '{}', '{"tu_id":"csliznYvtx4Bv6EVKijJp","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","created_at":"2026-11-28T05:03:29.703Z","updated_at":"2026-11-28T05:03:29.703Z"}', '2026-11-28 05:03:29.706+00', 'POST', '/v1/client/catalog/products/KtjjI9JZ_DbQ3awtgAK0J/variants', 'tuk_80850dfd203310fcbe59f1bd', 'e03b8f07-33a0-44fa-8977-018843f0c485'),
  ('1', '1', 'b92fa18a2b481447', E'\\x739a80ac45f4211a1a3a7432076b0225b32ace6f44f8e2712d27a597b34a641f', '201', '{}', '{"tu_id":"Qe5mkW64sjipNbp3JdadL","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","created_at":"2026-11-28T05:03:29.681Z","updated_at":"2026-11-28T05:03:29.681Z"}', '2026-11-28 05:03:29.686+00', 'POST', '/v1/client/catalog/products/KtjjI9JZ_DbQ3awtgAK0J/variants', 'tuk_80850dfd203310fcbe59f1bd', '939c6973-9b0c-40c0-9eae-ae700c9ee249'),
  ('1', '1', 'bce763cd8ff538dd', E'\\xbb6223992de67be37306d252ebe4c66a68d12a60b48bf4bcfce84eb073e5570f', '201', '{}', '{"tu_id":"AxeQJtJ2OMCokzhFTgn4h","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"KtjjI9JZ_DbQ3awtgAK0J","created_at":"2026-11-28T05:03:29.694Z","updated_at":"2026-11-28T05:03:29.694Z"}', '2026-11-28 05:03:29.697+00', 'POST', '/v1/client/catalog/products/KtjjI9JZ_DbQ3awtgAK0J/variants', 'tuk_80850dfd203310fcbe59f1bd', 'b281dbce-1a11-48f3-b154-31bd0dba4e6d'),
  ('1', '1', 'd748284fca007a01', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"Fb9WmgfIiegxrgIsJvU1e","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-28T05:03:29.588Z","updated_at":"2026-11-28T05:03:29.588Z","axes":[],"variants":[]}', '2026-11-28 05:03:29.59+00', 'POST', '/v1/client/catalog/products', 'tuk_80850dfd203310fcbe59f1bd', 'ae542877-bf83-41c5-b940-cbaac02982ba'),
  ('1', '1', 'db0ea582844b96fe', E'\\x208bcb427e52838b3b58d3c1ac8ae0a741a2a291a8be732602c091163983bfb3', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-28T05:03:29.639Z","updated_at":"2026-11-28T05:03:29.639Z"},"movement":{"id":2,"product_tu_id":"Fb9WmgfIiegxrgIsJvU1e","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_80850dfd203310fcbe59f1bd","created_at":"2026-11-28T05:03:29.639Z"}}', '2026-11-28 05:03:29.64+00', 'POST', '/v1/client/catalog/products/Fb9WmgfIiegxrgIsJvU1e/stock/adjust', 'tuk_80850dfd203310fcbe59f1bd', 'aa80d88d-0674-494e-a896-b68c0c3ebe4a');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-28 05:00:00+00', '', 'postLearningEvents', NULL, '6', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'getStockFeedReport', 'catalog.stock:read', '1', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-28 05:00:00+00', 'tuk_80850dfd203310fcbe59f1bd', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address, count, minute, message, errors, required_scopes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-03-01 08:30:10+00', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client', '401', 'unauthenticated', 'revoked', '{größe}', '203.0.113.7/32', '3', '2026-03-01 08:30:00+00', NULL, NULL, NULL);

INSERT INTO unverified_refusals (minute, network, reason, count) OVERRIDING SYSTEM VALUE VALUES
  ('2026-03-01 08:30:00+00', '2001:db8:0:0::/64', 'wrong_secret', '3');

INSERT INTO request_minutes (brand_id, key_id, hour, bucket, requests) OVERRIDING SYSTEM VALUE VALUES
  ('1', '', '2026-11-28 05:00:00+00', 'catalog_brand', '{0,0,0,18,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'),
  ('1', 'tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:00:00+00', 'catalog_key_reads', '{0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'),
  ('1', 'tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:00:00+00', 'catalog_key_writes', '{0,0,0,17,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_609c6b1fa6e79d823396aca3', E'\\x416292802f1bd477779c3c459628e368dadd147be21c31e5de47771d3117cda2', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-28 05:03:29.52+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\xcde027b1792890df0ac405c652d01c8dd39883ce98a564a91d13ced8dda7894d', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-28 05:03:29.526+00', '2026-11-28 05:03:29.526+00', '2026-11-28 17:03:29.526+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-28 05:03:29.728+00', '2', '1', '1', '0', '1795842209463');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'KtjjI9JZ_DbQ3awtgAK0J'),
  ('1', 'PARENT-L', 'variant', 'csliznYvtx4Bv6EVKijJp'),
  ('1', 'PARENT-M', 'variant', 'AxeQJtJ2OMCokzhFTgn4h'),
  ('1', 'PARENT-S', 'variant', 'Qe5mkW64sjipNbp3JdadL'),
  ('1', 'SIMPLE', 'product', 'Fb9WmgfIiegxrgIsJvU1e');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'Fb9WmgfIiegxrgIsJvU1e', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-28 05:03:29.588+00', '2026-11-28 05:03:29.615+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'KtjjI9JZ_DbQ3awtgAK0J', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-28 05:03:29.661+00', '2026-11-28 05:03:29.728+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-28 05:03:29.655+00', '2026-11-28 05:03:29.655+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-28 05:03:29.655+00', '2026-11-28 05:03:29.655+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-28 05:03:29.655+00', '2026-11-28 05:03:29.655+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-28 05:03:29.655+00', '2026-11-28 05:03:29.655+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'Qe5mkW64sjipNbp3JdadL', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-28 05:03:29.681+00', '2026-11-28 05:03:29.681+00'),
  ('1', '2', '2', 'AxeQJtJ2OMCokzhFTgn4h', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-28 05:03:29.694+00', '2026-11-28 05:03:29.694+00'),
  ('1', '3', '2', 'csliznYvtx4Bv6EVKijJp', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-28 05:03:29.728+00', '2026-11-28 05:03:29.703+00', '2026-11-28 05:03:29.728+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-28 05:03:29.566+00', '2026-11-28 05:03:29.566+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-28 05:03:29.573+00', '2026-11-28 05:03:29.573+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-28 05:03:29.715+00', '2026-11-28 05:03:29.715+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at, source_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-28 05:03:29.639+00', 'false', '2026-11-28 05:03:29.639+00', '0'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-28 05:03:29.644+00', 'false', '2026-11-28 05:03:29.644+00', '0'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-28 05:03:29.715+00', 'false', '2026-11-28 05:03:29.715+00', '0'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-28 05:03:29.723+00', 'false', '2026-11-28 05:03:29.731+00', '0'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-28 05:03:29.742+00', 'true', '2026-11-28 05:03:29.758+00', '0');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-28 05:03:29.63+00', 'tuk_80850dfd203310fcbe59f1bd', '685a66ac-5ddd-41c4-b2a2-703b0ed2842f', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:03:29.639+00', 'tuk_80850dfd203310fcbe59f1bd', 'aa80d88d-0674-494e-a896-b68c0c3ebe4a', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:03:29.644+00', 'tuk_80850dfd203310fcbe59f1bd', 'bf984152-78f1-4b8d-ae07-f488267a7b9b', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:03:29.715+00', 'tuk_80850dfd203310fcbe59f1bd', 'dcd0ac6e-0856-48fb-91a8-07af277477d6', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_80850dfd203310fcbe59f1bd', '2026-11-28 05:03:29.723+00', 'tuk_80850dfd203310fcbe59f1bd', '0155508d-b850-44b7-abf4-1b28adbe3acc', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:tyer1nFUw3IcaWgYzwWMF', '2026-11-28 05:03:29.758+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-28 05:03:29.758+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-28 05:03:29.63+00', '{1}'),
  ('1', '2', '2026-11-28 05:03:29.639+00', '{1}'),
  ('1', '3', '2026-11-28 05:03:29.644+00', '{2}'),
  ('1', '4', '2026-11-28 05:03:29.715+00', '{3}'),
  ('1', '5', '2026-11-28 05:03:29.723+00', '{4}'),
  ('1', '6', '2026-11-28 05:03:29.731+00', '{4}'),
  ('1', '7', '2026-11-28 05:03:29.758+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tyer1nFUw3IcaWgYzwWMF', 'f027ddd84c6095c2', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-28 05:03:29.742+00', '2026-11-28 05:03:29.765+00', '2026-11-28 05:03:29.765+00', NULL, 'tuk_80850dfd203310fcbe59f1bd', '95136936-9dfd-4aea-8e5b-688e1010c4d6', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results, updated_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-28 05:03:29.742+00","2020-01-01 00:00:00+00","2026-11-28 05:03:29.742+00"}', 'apk', NULL);

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-28 05:03:29.742+00');

INSERT INTO open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'NONE', 'WH', '1', '2', '2026-11-28 05:03:29.742+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-28 05:03:29.825+00', '2026-11-28 05:03:29.825+00'),
  ('1', '2', 'south', NULL, '2026-11-28 05:03:29.826+00', '2026-11-28 05:03:29.826+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-28 05:03:29.851+00', '2026-11-28 05:03:29.856+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-28 05:03:29.868+00', '2026-11-28 05:03:29.868+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-28 05:03:29.868+00', '2026-11-28 05:03:29.868+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-28 05:03:29.869+00', '2026-11-28 05:03:29.869+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-28 05:03:30.502+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-28 05:03:30.502+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-28 05:03:29.887+00', '2026-11-28 05:03:29.887+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-28 05:03:29.887+00', '2026-11-28 05:03:29.887+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-28 05:03:29.908+00', '2026-11-28 05:03:29.908+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-28 05:03:30.504+00', '3', '2020-01-01');

INSERT INTO alerts (id, concern, kind, at, details, created_at, attempts, next_attempt_at, sent_at) OVERRIDING SYSTEM VALUE VALUES
  ('79233a62-595b-4c67-bc06-b9cc75720cbc', 'doctor_found/größe', 'doctor_found', '2026-03-01 08:30:00+00', '{"differences": 3}', '2026-03-01 08:31:00+00', '2', '2026-03-01 08:35:00+00', NULL);

INSERT INTO muted_concerns (id, muted_at, muted_until, actor) OVERRIDING SYSTEM VALUE VALUES
  ('keys_unused.0123456789abcdef', '2026-11-28 05:03:30.504+00', NULL, 'admin-token');

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-28 05:03:28.357484+00'),
  ('0002-one-generation-of-a-day', '40bfb87b5b2b5052c289b2a457cbf497a92092627b2894759bca0f9358051f38', '2026-11-28 05:03:28.357484+00'),
  ('0003-revision-floor', '61f4c3d7c65f9c131d0ea93c06c15ce584cdea03557229557c2d34292ef2472c', '2026-11-28 05:03:28.357484+00'),
  ('0004-day-histories', '13b116412ca2115c2521ab5fb81065dd7733d7d4d0f98f3e7aacc4b170d7b763', '2026-11-28 05:03:28.357484+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-28 05:03:28.357484+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-28 05:03:28.357484+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '7', '2026-11-28 05:03:28.357484+00');

INSERT INTO analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-19', 'ann-0', '2026-10-19 10:00:00+00', 'completion', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-19', 'ben-0', '2026-10-19 10:00:00+00', 'completion', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-20', 'ann-1', '2026-10-20 10:00:00+00', 'view', '1', '3', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-10-20', 'ben-1', '2026-10-20 10:00:00+00', 'view', '2', '3', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-27', 'ann-2', '2026-11-27 10:00:00+00', 'view', '1', '1', 'episode', '1', NULL, NULL, NULL, NULL, '60', '0'),
  ('1', '2026-11-27', 'ben-2', '2026-11-27 10:00:00+00', 'view', '2', '1', 'episode', NULL, NULL, NULL, NULL, NULL, '60', '0');

INSERT INTO analytics.event_claims (brand_id, event_id, day) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'ann-0', '2026-10-19'),
  ('1', 'ann-1', '2026-10-20'),
  ('1', 'ann-2', '2026-11-27'),
  ('1', 'ben-0', '2026-10-19'),
  ('1', 'ben-1', '2026-10-20'),
  ('1', 'ben-2', '2026-11-27');

INSERT INTO analytics.brand_days (brand_id, day, aggregated_at, changes, aggregated_changes, row_counts, events, aggregated_events) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-19', '2026-11-28 05:03:29.964+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-20', '2026-11-28 05:03:29.964+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-11-27', NULL, '1', '0', '{}', '2', '0');

INSERT INTO analytics.event_retention (is_only, kept_since) OVERRIDING SYSTEM VALUE VALUES
  ('true', '2020-01-01');

INSERT INTO analytics.daily (brand_id, day, market_id, live_episodes, live_programs, live_quests, live_products, active_users, views, completions, successes, xp_earned, time_spent_seconds, episode_views, episode_completions, episode_successes, episode_time_spent_seconds, episode_progress_sum, episode_progress_count, episode_score_sum, episode_score_count, program_views, program_completions, program_successes, program_time_spent_seconds, program_progress_sum, program_progress_count, program_score_sum, program_score_count, quest_views, quest_completions, quest_successes, quest_time_spent_seconds, quest_progress_sum, quest_progress_count, quest_score_sum, quest_score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_xp_earned) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-10-19', '0', '1', '0', '0', '1', '2', '0', '2', '0', '0', '120', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '0', '0'),
  ('1', '2026-10-19', '1', '1', '0', '0', '1', '1', '0', '1', '0', '0', '60', '0', '1', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0'),
  ('1', '2026-10-19', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2026-10-20', '0', '1', '0', '0', '1', '2', '2', '0', '0', '0', '120', '2', '0', '0', '120', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '2', '2', '0', '0'),
  ('1', '2026-10-20', '1', '1', '0', '0', '1', '1', '1', '0', '0', '0', '60', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '0'),
  ('1', '2026-10-20', '2', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.contents (brand_id, content_ref_id, day, content_type, total_users, views, unique_views, completions, successes, active_users, xp_earned, time_spent_seconds, questions, progress_sum, progress_count, score_sum, score_count, cumulative_views, cumulative_completions, cumulative_successes, cumulative_progress_sum, cumulative_progress_count, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-19', 'episode', '2', '0', '0', '2', '0', '2', '0', '120', '0', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0'),
  ('1', '3', '2026-10-20', 'episode', '2', '2', '2', '0', '0', '2', '0', '120', '0', '0', '0', '0', '0', '2', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.users (brand_id, user_id, day, views, completions, successes, xp_earned, time_spent_seconds, score_sum, score_count, episode_views, episode_completions, episode_successes, program_views, program_completions, program_successes, quest_views, quest_completions, quest_successes, cumulative_views, cumulative_completions, cumulative_successes, cumulative_episode_views, cumulative_episode_completions, cumulative_episode_successes, cumulative_program_views, cumulative_program_completions, cumulative_program_successes, cumulative_quest_views, cumulative_quest_completions, cumulative_quest_successes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-19', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '1', '2026-10-20', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-19', '0', '1', '0', '0', '60', '0', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0'),
  ('1', '2', '2026-10-20', '1', '0', '0', '0', '60', '0', '0', '1', '0', '0', '0', '0', '0', '0', '0', '0', '1', '1', '0', '1', '1', '0', '0', '0', '0', '0', '0', '0');

INSERT INTO analytics.content_engagement (brand_id, content_ref_id, day, user_id, content_type, views, completions, successes, xp_earned, time_spent_seconds, questions, answered, score_sum, score_count, cumulative_views, cumulative_xp_earned, cumulative_time_spent_seconds, cumulative_score_sum, cumulative_score_count) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-10-19', '1', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '1', '2026-10-19', '2', 'episode', '0', '1', '0', '0', '60', '0', '0', '0', '0', '0', '0', '60', '0', '0'),
  ('1', '3', '2026-10-20', '1', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0'),
  ('1', '3', '2026-10-20', '2', 'episode', '1', '0', '0', '0', '60', '0', '0', '0', '0', '1', '0', '60', '0', '0');

INSERT INTO analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at, aggregated_revision, exclusion_revision, directory_revision, corrected_revision) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-19', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-20', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-19', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-20', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-19', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-20', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-19', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-20', '1', '2026-11-28 05:03:29.964+00', '1', '0', '0', '0');

INSERT INTO analytics.revision_floor (is_only, revision) OVERRIDING SYSTEM VALUE VALUES
  ('true', '1772323200000');

INSERT INTO analytics.day_histories (brand_id, dataset, day, revisions) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-19', '[{"at": 1795842209964, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'content_engagement', '2026-10-20', '[{"at": 1795842209964, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'contents', '2026-10-19', '[{"at": 1795842209964, "rows": 1, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'contents', '2026-10-20', '[{"at": 1795842209964, "rows": 1, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'daily', '2026-10-19', '[{"at": 1795842209964, "rows": 3, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'daily', '2026-10-20', '[{"at": 1795842209964, "rows": 3, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'users', '2026-10-19', '[{"at": 1795842209964, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'users', '2026-10-20', '[{"at": 1795842209964, "rows": 2, "cause": "request", "events": 2, "revision": 1}]');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.published_generations (brand_id, dataset, day, generation) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '8');

INSERT INTO analytics.unpublished_generations (brand_id, generation, from_day, to_day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', '2026-01-01', '2026-01-02', '2026-11-28 05:03:30.501+00');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since, before) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-28 05:03:30.501+00', '9');

SELECT setval('public.administrators_id_seq', 1);

SELECT setval('public.api_keys_id_seq', 3);

SELECT setval('public.audit_entries_id_seq', 13);

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
