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
  ('0001-baseline', 'e54b0b65a22a8321da36366144b4a607db7bfe835f8d9adc1630180f938c23f2', '2026-11-28 02:32:18.048776+00'),
  ('0002-audit-months', '6d750915d7d9b3e8a4c3c8b3d468cfd8f4a1b17e1a676b2eba21d46c3710dff3', '2026-11-28 02:32:18.048776+00'),
  ('0003-refusals-limits-and-alerts', 'c1b86a17c451e4833d0bb63bc906f7eff6f375d949f26470d5375e1093b3f833', '2026-11-28 02:32:18.048776+00'),
  ('0004-drop-withdrawn-features', '6ceaac7482c01388cd0e752e309b61a9584f2d27d3fb28be1835ee5d6a48a633', '2026-11-28 02:32:18.048776+00'),
  ('0005-times-of-sources-to-the-microsecond', 'b199ee676334a7d30d0f60438de83e12e87acc61bb7d1a40b25068c656bedd0b', '2026-11-28 02:32:18.048776+00'),
  ('0006-refusals-mutes-and-actors', 'ad5b3e3fe0447c9aea89dd2f23462608f8da516730c7f4f64c532585ce141993', '2026-11-28 02:32:18.048776+00'),
  ('0007-open-feed-lines', 'ab63faa7dd18a4e7cf5d1eda12f7bd4e54bac4d4390997e4a62851f9ccf0db44', '2026-11-28 02:32:18.048776+00'),
  ('0008-refusals-of-no-key', 'a5b8712639569ecfe6777fb42b6291eb04cb08bba99f9b55340bf6b99069ca1d', '2026-11-28 02:32:18.048776+00'),
  ('0009-request-minutes', '394bc19fe595dcefac46abce8721382b6f3f72c3aed2baa970f46f2a5cfbfad5', '2026-11-28 02:32:18.048776+00');

INSERT INTO schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/claim-idempotency-keys', 'd534e3d0637481962c2f6a27069280dba9dacd7f190086c73d05168687d3a5c8', '5', '2026-11-28 02:32:18.048776+00'),
  ('routines/note-directory-change', 'c5dd5561077edf397b4bd457214f64ab0f8f49d530153464815cb8f74c36ac26', '6', '2026-11-28 02:32:18.048776+00'),
  ('routines/note-learner-return', '50616426a124a222e2679588b5fcf0f2c908b7e0bde0eefe5abdfca9f517798b', '7', '2026-11-28 02:32:18.048776+00'),
  ('views/product-stock-truth', 'b5da581e9556dc941ea1ffef0ef2b5f5c4d2bba178ada859a6a8238013447cf7', '1', '2026-11-28 02:32:18.048776+00'),
  ('views/product-variant-truth', '83579d206ff0b0e823889805d4bb748234fd0c2b4043dbf49ea26d9a1207c1b9', '2', '2026-11-28 02:32:18.048776+00'),
  ('views/stock-feed-lines', 'b5cc0eafd8f5e5cc48736189650fd7146e0b7b6b7a434d51bde09972224ac0dd', '3', '2026-11-28 02:32:18.048776+00'),
  ('views/variant-stock', '21880ee628f11b60fc141ceb2a97932aff7781ce20f5af72ca592276f084fa70', '4', '2026-11-28 02:32:18.048776+00');

INSERT INTO schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '23', '2026-11-28 02:32:18.048776+00');

INSERT INTO brands (id, name, currency, default_language, low_stock_threshold, stale_after_hours, created_at, updated_at, closed_at, exported_at, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'Kept', 'EUR', 'en', '5', NULL, '2026-11-28 02:32:18.573+00', '2026-11-28 02:32:18.573+00', NULL, NULL, '{"until": null, "limits": {"catalog_brand": 9000}}');

INSERT INTO api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at, revoked_at, rotated_from_key_id, last_used_at, created_at, replaces_key_id, last_used_from, brand_is_closed, last_refused_at, last_refused_code, own_limits) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'tuk_ac91899756d95ea66b760ae7', '1', E'\\xcd9cc4fbe775c01488ea1d77f650c62d48bd56374dd33d1e2af9e6d7c2537c76', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, '2026-11-28 02:32:18.657+00', NULL, NULL, '2026-11-28 02:32:18.641+00', NULL, NULL, 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '2', 'tuk_09c701fdc7ed0b1260a3db1b', '1', E'\\x30e9b9b006290aac3b88e36fd340b313d5769b8c737becbadb620628225bbac5', 'First', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, 'tuk_ac91899756d95ea66b760ae7', '2026-11-28 02:32:18.977+00', '2026-11-28 02:32:18.658+00', NULL, '127.0.0.1/32', 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}'),
  ('1', '3', 'tuk_cc04bebf4aee34a31213f00d', '1', E'\\x8c26ad5f4df0506632e4fcd621ddeb83d55017dace95eeedbb7b75f28ae8ec4e', 'Overlap', '{catalog.products:read,catalog.products:write,catalog.axes:write,catalog.variants:write,catalog.stock:read,catalog.stock:write,catalog.stock:ingest,analytics.metrics:read,analytics.users:read}', NULL, NULL, NULL, NULL, '2026-11-28 02:32:18.665+00', 'tuk_09c701fdc7ed0b1260a3db1b', NULL, 'false', NULL, NULL, '{"until": "2026-03-01T06:00:00.000Z", "limits": {"catalog_key_writes": 6000}}');

INSERT INTO feed_tokens (brand_id, id, token_sha256, hint, name, last_used_at, created_at, last_used_from, brand_is_closed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', E'\\x247d3f862d5f20426e3f7b1faf2e2e4f8064f4da36cb1ec100c0f7104cede9ab', 'JMlS', 'ERP', NULL, '2026-11-28 02:32:18.67+00', NULL, 'false');

INSERT INTO idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at, method, path, key_id, request_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '4fa5b69a0c6316e7', E'\\xfff722eb026390e9bca51fb136e826087634378ad38bf4d1c0a9fb587f95b494', '200', '{}', E'{"level":{"sku":"SIMPLE","product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"location":"WH","quantity":5,"reserved":0,"available":5,"source_updated_at":"2026-11-28T02:32:18.779Z","updated_at":"2026-11-28T02:32:18.779Z"},"movement":{"id":1,"product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":0,"quantity_after":5,"delta":5,"reason":"manual","actor":null,"note":"a\\nb\\\\c","created_at":"2026-11-28T02:32:18.779Z"}}', '2026-11-28 02:32:18.782+00', 'POST', '/v1/client/catalog/products/laEXh-bin7XYVlISQvtLX/stock/adjust', 'tuk_09c701fdc7ed0b1260a3db1b', '0c8b9f82-8f8f-46d0-a51e-5b8092ab75c9'),
  ('1', '1', '5cb2b5b9da65368f', E'\\xf9766277f183feb49051ee4c1406f5780072e2bcc07b5f11814e46d28747172b', '201', '{}', '{"id":1,"tu_id":"laEXh-bin7XYVlISQvtLX","brand_id":1,"sku":"SIMPLE","type":"simple","title":"SIMPLE","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-28T02:32:18.745Z","updated_at":"2026-11-28T02:32:18.745Z","axes":[],"variants":[]}', '2026-11-28 02:32:18.747+00', 'POST', '/v1/client/catalog/products', 'tuk_09c701fdc7ed0b1260a3db1b', 'f6d9abc8-39f8-416c-a888-cf3240e27fe3'),
  ('1', '1', '697261659dda0e6c', E'\\x39a8a223230f7c3f75cd0405a336fb1a91f361176e22c6420f5186bf74339d4c', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"location":"WH","quantity":3,"reserved":0,"available":3,"source_updated_at":"2026-11-28T02:32:18.791Z","updated_at":"2026-11-28T02:32:18.791Z"},"movement":{"id":2,"product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"sku":"SIMPLE","location":"WH","quantity_before":5,"quantity_after":3,"delta":-2,"reason":"manual","actor":null,"note":"client-api:tuk_09c701fdc7ed0b1260a3db1b","created_at":"2026-11-28T02:32:18.791Z"}}', '2026-11-28 02:32:18.792+00', 'POST', '/v1/client/catalog/products/laEXh-bin7XYVlISQvtLX/stock/adjust', 'tuk_09c701fdc7ed0b1260a3db1b', 'f4b8421a-a348-4c03-bad2-db127839941f'),
  ('1', '1', '786b5010cf0bfe7e', E'\\xc856081828e2f1f51213cada9c7e933dbe0ecd2d9e0fc8f9e6f2f69badb7d5a5', '201', '{}', '{"tu_id":"oi7U5A2W0LGj1JNiS2BgB","sku":"PARENT-S","barcode":null,"axis_values":{"size":"s"},"price":{"value":12.5,"currency":"EUR","inherited":false},"position":0,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"rO0ZGqguzP7liWikjWykJ","created_at":"2026-11-28T02:32:18.851Z","updated_at":"2026-11-28T02:32:18.851Z"}', '2026-11-28 02:32:18.856+00', 'POST', '/v1/client/catalog/products/rO0ZGqguzP7liWikjWykJ/variants', 'tuk_09c701fdc7ed0b1260a3db1b', 'd2cdb581-75dc-489f-9e83-811f9ddc1b1f'),
  ('1', '1', '7e1299b6ef6f447d', E'\\xe80f954b3b7bec5e01abbfef712f4c0db0766110f76523a060047156ea29006f', '201', '{}', '{"tu_id":"S5uC_q4vwOWf98gIpD9qv","sku":"PARENT-M","barcode":null,"axis_values":{"size":"m"},"price":{"value":0,"currency":"EUR","inherited":true},"position":1,"is_active":true,"availability":{"status":null,"quantity":0},"product_tu_id":"rO0ZGqguzP7liWikjWykJ","created_at":"2026-11-28T02:32:18.864Z","updated_at":"2026-11-28T02:32:18.864Z"}', '2026-11-28 02:32:18.866+00', 'POST', '/v1/client/catalog/products/rO0ZGqguzP7liWikjWykJ/variants', 'tuk_09c701fdc7ed0b1260a3db1b', '9911fb33-8e22-4622-bef0-2fea67bc3962'),
  ('1', '1', 'd8475ca46669767c', E'\\x5e76cfbf9bbc749d37d09b3b866874b4cd349a7054583e6e0234bd418af03995', '200', '{}', '{"level":{"sku":"SIMPLE","product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"location":"CLOSED","quantity":9,"reserved":0,"available":9,"source_updated_at":"2026-11-28T02:32:18.803Z","updated_at":"2026-11-28T02:32:18.803Z"},"movement":{"id":3,"product_tu_id":"laEXh-bin7XYVlISQvtLX","variant_tu_id":null,"sku":"SIMPLE","location":"CLOSED","quantity_before":0,"quantity_after":9,"delta":9,"reason":"manual","actor":null,"note":"client-api:tuk_09c701fdc7ed0b1260a3db1b","created_at":"2026-11-28T02:32:18.803Z"}}', '2026-11-28 02:32:18.804+00', 'POST', '/v1/client/catalog/products/laEXh-bin7XYVlISQvtLX/stock/adjust', 'tuk_09c701fdc7ed0b1260a3db1b', 'ccb54838-3c3c-4759-bb1e-821f9a085ed1'),
  ('1', '1', 'e9dfe472794e91a7', E'\\x3dcd2cd4fb08c520ab6943444ad7a984d37dca35a65965676cddcda2c926e37d', '201', '{}', '{"tu_id":"_S1d2NBCV5QWhvTEx6Q2w","sku":"PARENT-L","barcode":null,"axis_values":{"size":"l"},"price":{"value":0,"currency":"EUR","inherited":true},"position":2,"is_active":false,"availability":{"status":null,"quantity":0},"product_tu_id":"rO0ZGqguzP7liWikjWykJ","created_at":"2026-11-28T02:32:18.873Z","updated_at":"2026-11-28T02:32:18.873Z"}', '2026-11-28 02:32:18.877+00', 'POST', '/v1/client/catalog/products/rO0ZGqguzP7liWikjWykJ/variants', 'tuk_09c701fdc7ed0b1260a3db1b', '608f97cd-e02e-4ceb-a514-3dfa8eae9327'),
  ('1', '1', 'f0b84b000eb4f7ce', E'\\xbffb126897abed36a84e9bad6dc16c99a501baeeb7d9411d63afaf7d98d3989d', '200', '{}', '{"level":{"sku":"PARENT-L","product_tu_id":"rO0ZGqguzP7liWikjWykJ","variant_tu_id":"_S1d2NBCV5QWhvTEx6Q2w","location":"__default__","quantity":6,"reserved":0,"available":6,"source_updated_at":"2026-11-28T02:32:18.917Z","updated_at":"2026-11-28T02:32:18.917Z"},"movement":{"id":5,"product_tu_id":"rO0ZGqguzP7liWikjWykJ","variant_tu_id":"_S1d2NBCV5QWhvTEx6Q2w","sku":"PARENT-L","location":"__default__","quantity_before":0,"quantity_after":6,"delta":6,"reason":"manual","actor":null,"note":"client-api:tuk_09c701fdc7ed0b1260a3db1b","created_at":"2026-11-28T02:32:18.917Z"}}', '2026-11-28 02:32:18.918+00', 'POST', '/v1/client/catalog/products/rO0ZGqguzP7liWikjWykJ/stock/adjust', 'tuk_09c701fdc7ed0b1260a3db1b', '6f7db54b-ed87-4470-b758-4684f15090dd'),
  ('1', '1', 'f419080859f4ce9b', E'\\x7c8c5fc08a417053d89557974367c878cce8b3fe9a70dc92815bab90917961e4', '201', '{}', '{"id":2,"tu_id":"rO0ZGqguzP7liWikjWykJ","brand_id":1,"sku":"PARENT","type":"simple","title":"PARENT","short_description":null,"default_language":"en","versions":{},"price_value":0,"price_currency":"EUR","tax_class":"standard","is_active":false,"profile":null,"has_variants":false,"price_range":null,"availability":{"status":null},"stock_summary":{"total_quantity":0,"total_reserved":0},"created_at":"2026-11-28T02:32:18.826Z","updated_at":"2026-11-28T02:32:18.826Z","axes":[],"variants":[]}', '2026-11-28 02:32:18.826+00', 'POST', '/v1/client/catalog/products', 'tuk_09c701fdc7ed0b1260a3db1b', '145630df-c204-4313-bbea-2b142397c30f'),
  ('1', '1', 'f8e5e3c51291f973', E'\\x9333c21ca3b03774116791a8ffec352e2ce96d710764a326084b3bc10fc3eb23', '200', '{}', '{"level":{"sku":"PARENT-M","product_tu_id":"rO0ZGqguzP7liWikjWykJ","variant_tu_id":"S5uC_q4vwOWf98gIpD9qv","location":"__default__","quantity":4,"reserved":0,"available":4,"source_updated_at":"2026-11-28T02:32:18.886Z","updated_at":"2026-11-28T02:32:18.886Z"},"movement":{"id":4,"product_tu_id":"rO0ZGqguzP7liWikjWykJ","variant_tu_id":"S5uC_q4vwOWf98gIpD9qv","sku":"PARENT-M","location":"__default__","quantity_before":0,"quantity_after":4,"delta":4,"reason":"manual","actor":null,"note":"client-api:tuk_09c701fdc7ed0b1260a3db1b","created_at":"2026-11-28T02:32:18.886Z"}}', '2026-11-28 02:32:18.889+00', 'POST', '/v1/client/catalog/products/rO0ZGqguzP7liWikjWykJ/stock/adjust', 'tuk_09c701fdc7ed0b1260a3db1b', '2e246411-ff49-41da-a1bf-e66b1b1cc9fc');

INSERT INTO api_key_usage (brand_id, hour, key_id, operation, scope, requests, denied, refused, failed) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-28 02:00:00+00', '', 'postLearningEvents', NULL, '6', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'adjustStock', 'catalog.stock:write', '5', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'createAxis', 'catalog.axes:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'createProduct', 'catalog.products:write', '2', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'createStockLocation', 'catalog.stock:write', '2', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'createVariant', 'catalog.variants:write', '3', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'deleteVariant', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'getStockFeedReport', 'catalog.stock:read', '1', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'replaceProductAxes', 'catalog.variants:write', '1', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'submitStockFeed', 'catalog.stock:ingest', '1', '0', '0', '0'),
  ('1', '2026-11-28 02:00:00+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'updateProduct', 'catalog.products:write', '1', '0', '0', '0');

INSERT INTO administrators (id, token_id, secret_sha256, name, role, brand_ids, expires_at, last_used_at, last_used_from, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'bpa_25a59886effa0d10057bace1', E'\\x388233e08431be879c805e4dd0ff7d8c2c8b5b40fed23fbce87ccba19018007e', 'Ada', 'support', '{1}', NULL, NULL, NULL, '2026-11-28 02:32:18.68+00');

INSERT INTO console_sessions (id, token_sha256, actor, actor_name, administrator_id, role, brand_ids, address, created_at, last_seen_at, expires_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', E'\\x53b7bb4fa0905a059dd5f9dd95ce9780c9eb721aba9ad93772c51aa9bbecc4f1', 'admin-token', NULL, NULL, 'administrator', NULL, '127.0.0.1/32', '2026-11-28 02:32:18.687+00', '2026-11-28 02:32:18.687+00', '2026-11-28 14:32:18.687+00');

INSERT INTO console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) OVERRIDING SYSTEM VALUE VALUES
  (E'\\x4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e', E'\\xd7e83e28a04b537e64424546b14caf9b67bad2f28dabce68116e0d372319fa00', 'audit?actor=admin-token', '2026-03-01 08:40:00+00');

INSERT INTO brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants, products_active_with_variants, axes_version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '9', '2026-11-28 02:32:18.924+00', '2', '1', '1', '0', '1795833138575');

INSERT INTO sku_claims (brand_id, sku, kind, tu_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT', 'product', 'rO0ZGqguzP7liWikjWykJ'),
  ('1', 'PARENT-L', 'variant', '_S1d2NBCV5QWhvTEx6Q2w'),
  ('1', 'PARENT-M', 'variant', 'S5uC_q4vwOWf98gIpD9qv'),
  ('1', 'PARENT-S', 'variant', 'oi7U5A2W0LGj1JNiS2BgB'),
  ('1', 'SIMPLE', 'product', 'laEXh-bin7XYVlISQvtLX');

INSERT INTO products (brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants, active_variants, inheriting_variants, own_price_min, own_price_max) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'laEXh-bin7XYVlISQvtLX', 'SIMPLE', 'simple', 'It''s', NULL, 'en', '{"de": {"title": "Größe „M“"}, "ja": {"title": "靴"}}', '0.0000', 'EUR', 'standard', 'true', 'false', '2026-11-28 02:32:18.745+00', '2026-11-28 02:32:18.765+00', '0', '0', '0', NULL, NULL),
  ('1', '2', 'rO0ZGqguzP7liWikjWykJ', 'PARENT', 'simple', 'PARENT', NULL, 'en', '{}', '0.0000', 'EUR', 'standard', 'false', 'true', '2026-11-28 02:32:18.826+00', '2026-11-28 02:32:18.924+00', '2', '2', '1', '12.5000', '12.5000');

INSERT INTO axes (brand_id, id, code, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'size', NULL, '0', 'true', '2026-11-28 02:32:18.817+00', '2026-11-28 02:32:18.817+00');

INSERT INTO axis_values (brand_id, axis_id, id, value, label, "position", is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', 's', NULL, '0', 'true', '2026-11-28 02:32:18.817+00', '2026-11-28 02:32:18.817+00'),
  ('1', '1', '2', 'm', NULL, '1', 'true', '2026-11-28 02:32:18.817+00', '2026-11-28 02:32:18.817+00'),
  ('1', '1', '3', 'l', NULL, '2', 'true', '2026-11-28 02:32:18.817+00', '2026-11-28 02:32:18.817+00');

INSERT INTO product_axes (brand_id, product_id, axis_id, "position") OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '0');

INSERT INTO product_axis_values (brand_id, product_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2', '1', '1'),
  ('1', '2', '1', '2'),
  ('1', '2', '1', '3');

INSERT INTO variants (brand_id, id, product_id, tu_id, sku, barcode, combination, price_value, "position", is_active, deleted_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', 'oi7U5A2W0LGj1JNiS2BgB', 'PARENT-S', NULL, '1:1', '12.5000', '0', 'true', NULL, '2026-11-28 02:32:18.851+00', '2026-11-28 02:32:18.851+00'),
  ('1', '2', '2', 'S5uC_q4vwOWf98gIpD9qv', 'PARENT-M', NULL, '1:2', NULL, '1', 'true', NULL, '2026-11-28 02:32:18.864+00', '2026-11-28 02:32:18.864+00'),
  ('1', '3', '2', '_S1d2NBCV5QWhvTEx6Q2w', 'PARENT-L', NULL, '1:3', NULL, '2', 'false', '2026-11-28 02:32:18.924+00', '2026-11-28 02:32:18.873+00', '2026-11-28 02:32:18.924+00');

INSERT INTO variant_axis_values (brand_id, variant_id, axis_id, value_id) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1'),
  ('1', '2', '1', '2');

INSERT INTO stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'WH', 'WH', 'true', '2026-11-28 02:32:18.716+00', '2026-11-28 02:32:18.716+00'),
  ('1', '2', 'CLOSED', 'CLOSED', 'false', '2026-11-28 02:32:18.725+00', '2026-11-28 02:32:18.725+00'),
  ('1', '3', '__default__', 'Default', 'true', '2026-11-28 02:32:18.886+00', '2026-11-28 02:32:18.886+00');

INSERT INTO stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, is_hidden, quantity, reserved, source_updated_at, is_from_feed, updated_at, source_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', NULL, '1', 'SIMPLE', 'WH', 'false', '3', '0', '2026-11-28 02:32:18.791+00', 'false', '2026-11-28 02:32:18.791+00', '0'),
  ('1', '2', '1', NULL, '2', 'SIMPLE', 'CLOSED', 'false', '9', '0', '2026-11-28 02:32:18.803+00', 'false', '2026-11-28 02:32:18.803+00', '0'),
  ('1', '3', '2', '2', '3', 'PARENT-M', '__default__', 'false', '4', '0', '2026-11-28 02:32:18.886+00', 'false', '2026-11-28 02:32:18.886+00', '0'),
  ('1', '4', '2', '3', '3', 'PARENT-L', '__default__', 'true', '6', '0', '2026-11-28 02:32:18.917+00', 'false', '2026-11-28 02:32:18.927+00', '0'),
  ('1', '5', '2', '1', '1', 'PARENT-S', 'WH', 'false', '7', '2', '2026-11-28 02:32:18.937+00', 'true', '2026-11-28 02:32:18.969+00', '0');

INSERT INTO stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before, quantity_after, reason, note, created_at, key_id, request_id, feed_id, feed_line) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '1', '1', NULL, 'SIMPLE', 'WH', '0', '5', 'manual', E'a
b\\c', '2026-11-28 02:32:18.779+00', 'tuk_09c701fdc7ed0b1260a3db1b', '0c8b9f82-8f8f-46d0-a51e-5b8092ab75c9', NULL, NULL),
  ('1', '2', '1', '1', NULL, 'SIMPLE', 'WH', '5', '3', 'manual', 'client-api:tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:32:18.791+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'f4b8421a-a348-4c03-bad2-db127839941f', NULL, NULL),
  ('1', '3', '2', '1', NULL, 'SIMPLE', 'CLOSED', '0', '9', 'manual', 'client-api:tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:32:18.803+00', 'tuk_09c701fdc7ed0b1260a3db1b', 'ccb54838-3c3c-4759-bb1e-821f9a085ed1', NULL, NULL),
  ('1', '4', '3', '2', '2', 'PARENT-M', '__default__', '0', '4', 'manual', 'client-api:tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:32:18.886+00', 'tuk_09c701fdc7ed0b1260a3db1b', '2e246411-ff49-41da-a1bf-e66b1b1cc9fc', NULL, NULL),
  ('1', '5', '4', '2', '3', 'PARENT-L', '__default__', '0', '6', 'manual', 'client-api:tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:32:18.917+00', 'tuk_09c701fdc7ed0b1260a3db1b', '6f7db54b-ed87-4470-b758-4684f15090dd', NULL, NULL),
  ('1', '6', '5', '2', '1', 'PARENT-S', 'WH', '0', '7', 'feed', 'feed:loUotZr5t5yiQrTJRq5Jr', '2026-11-28 02:32:18.969+00', NULL, NULL, '1', '0');

INSERT INTO product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '12', '0', '2', '1', '3', 'infinity', '0', '0', '0', NULL),
  ('1', '2', '11', '2', '0', '0', '0', NULL, '2', '2', '9', 'infinity');

INSERT INTO brand_stocks (brand_id, version, changed_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '7', '2026-11-28 02:32:18.969+00');

INSERT INTO stock_changes (brand_id, version, changed_at, level_ids) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-11-28 02:32:18.779+00', '{1}'),
  ('1', '2', '2026-11-28 02:32:18.791+00', '{1}'),
  ('1', '3', '2026-11-28 02:32:18.803+00', '{2}'),
  ('1', '4', '2026-11-28 02:32:18.886+00', '{3}'),
  ('1', '5', '2026-11-28 02:32:18.917+00', '{4}'),
  ('1', '6', '2026-11-28 02:32:18.927+00', '{4}'),
  ('1', '7', '2026-11-28 02:32:18.969+00', '{5}');

INSERT INTO stock_feeds (brand_id, id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals, message, failed_attempts, received_at, worked_at, finished_at, report_order, submitted_by, request_id, lines_dropped_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'loUotZr5t5yiQrTJRq5Jr', '19a16279aacb0703', E'\\x69bf6b84fcd7285947e10764bbc002ee1b56cd5ad9b9328f3633e1c43ac0e8d9', 'test', 'completed', '3', '3', '{"applied": 1, "superseded": 1, "unknown_sku": 1}', NULL, '0', '2026-11-28 02:32:18.937+00', '2026-11-28 02:32:18.978+00', '2026-11-28 02:32:18.978+00', NULL, 'tuk_09c701fdc7ed0b1260a3db1b', 'f2c639a7-e321-4ffa-8754-21bd18828a74', NULL);

INSERT INTO stock_feed_packs (brand_id, feed_id, first_line, skus, location_codes, quantities, reserved, updated_ats, results, updated_micros) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '0', '{PARENT-S,PARENT-S,NONE}', '{WH,WH,WH}', '{7,1,1}', '{2,NULL,NULL}', '{"2026-11-28 02:32:18.937+00","2020-01-01 00:00:00+00","2026-11-28 02:32:18.937+00"}', 'apk', NULL);

INSERT INTO refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'PARENT-S', 'WH', '1', '1', 'superseded', '2026-11-28 02:32:18.937+00');

INSERT INTO markets (brand_id, id, tu_id, name, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'north', 'North', '2026-11-28 02:32:19.005+00', '2026-11-28 02:32:19.005+00'),
  ('1', '2', 'south', NULL, '2026-11-28 02:32:19.005+00', '2026-11-28 02:32:19.005+00');

INSERT INTO points_of_sale (brand_id, id, tu_id, name, location_id, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'shop', 'Shop', '1', '2026-11-28 02:32:19.014+00', '2026-11-28 02:32:19.017+00');

INSERT INTO learners (brand_id, id, tu_id, market_id, analytics_opt_out, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'ann', '1', 'false', '2026-11-28 02:32:19.029+00', '2026-11-28 02:32:19.029+00'),
  ('1', '2', 'ben', NULL, 'false', '2026-11-28 02:32:19.029+00', '2026-11-28 02:32:19.029+00'),
  ('1', '3', 'out', NULL, 'true', '2026-11-28 02:32:19.029+00', '2026-11-28 02:32:19.029+00');

INSERT INTO learner_returns (brand_id, id, learner_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2', '2026-11-28 02:32:19.228+00');

INSERT INTO directory_changes (brand_id, id, kind, subject_id, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'learner', '2', '2026-11-28 02:32:19.229+00');

INSERT INTO directory_versions (brand_id, version) OVERRIDING SYSTEM VALUE VALUES
  ('1', '3');

INSERT INTO contents (brand_id, id, type, tu_id, name, is_live, is_listed, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', 'episode', 'one', 'One', 'true', 'true', '2026-11-28 02:32:19.042+00', '2026-11-28 02:32:19.042+00'),
  ('1', '2', 'quest', 'two', NULL, 'false', 'true', '2026-11-28 02:32:19.042+00', '2026-11-28 02:32:19.042+00'),
  ('1', '3', 'episode', 'gone', NULL, 'false', 'false', '2026-11-28 02:32:19.052+00', '2026-11-28 02:32:19.052+00');

INSERT INTO write_probe (filler) OVERRIDING SYSTEM VALUE VALUES
  ('full once');

INSERT INTO retention_runs (policy, finished_at, dropped_rows, held_back_by) OVERRIDING SYSTEM VALUE VALUES
  ('events', '2026-11-28 02:32:19.23+00', '3', '2020-01-01');

INSERT INTO refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, reason, fields, address, count, minute, message, errors, required_scopes) OVERRIDING SYSTEM VALUE VALUES
  ('1', '1', '2026-03-01 08:30:10+00', 'refused-1', 'tuk_00000000000000000000000a', 'getProduct', 'GET', '/v1/client', '401', 'unauthenticated', 'revoked', '{größe}', '203.0.113.7/32', '3', '2026-03-01 08:30:00+00', NULL, NULL, NULL);

INSERT INTO alerts (id, concern, kind, at, details, created_at, attempts, next_attempt_at, sent_at) OVERRIDING SYSTEM VALUE VALUES
  ('8e603fb4-1f63-4e05-89df-66592faf44d0', 'doctor_found/größe', 'doctor_found', '2026-03-01 08:30:00+00', '{"differences": 3}', '2026-03-01 08:31:00+00', '2', '2026-03-01 08:35:00+00', NULL);

INSERT INTO audit_entries (id, at, action, brand_id, resource_type, resource_id, details, actor, address, request_id, actor_name) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-11-28 02:32:18.582+00', 'brand.create', '1', 'brand', '1', '{"name": "Kept"}', 'admin-token', '127.0.0.1/32', '025deeb2-4ce5-45c9-93f7-4ba85dc71423', NULL),
  ('10', '2026-11-28 02:32:19.031+00', 'learner.upsert', '1', 'learner', '*', '{"items": 3}', 'admin-token', '127.0.0.1/32', 'e1c7a6e8-d123-4d11-bc90-b50ba0ace0cb', NULL),
  ('11', '2026-11-28 02:32:19.032+00', 'learner.opt_out', '1', 'learner', 'out', '{"changes": {"analytics_opt_out": {"to": true, "from": null}}}', 'admin-token', '127.0.0.1/32', 'e1c7a6e8-d123-4d11-bc90-b50ba0ace0cb', NULL),
  ('12', '2026-11-28 02:32:19.044+00', 'content.upsert', '1', 'content', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '5c79eae9-3dfa-4bd6-96aa-3fd76ecd3d35', NULL),
  ('13', '2026-11-28 02:32:19.124+00', 'analytics.aggregate', '1', 'aggregation', '2026-10-19/2026-10-20', '{"days": 2}', 'admin-token', '127.0.0.1/32', '7653fb21-d147-42f6-b611-fa8521da96bb', NULL),
  ('2', '2026-11-28 02:32:18.643+00', 'api_key.create', '1', 'api_key', 'tuk_ac91899756d95ea66b760ae7', '{"name": "First", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null}', 'admin-token', '127.0.0.1/32', '8f76701f-a4cf-4ca2-b781-29ebb942d156', NULL),
  ('3', '2026-11-28 02:32:18.659+00', 'api_key.rotate', '1', 'api_key', 'tuk_ac91899756d95ea66b760ae7', '{"successor_key_id": "tuk_09c701fdc7ed0b1260a3db1b"}', 'admin-token', '127.0.0.1/32', '2f56cadd-ce3f-43ea-898b-7b9bb7cfb3fe', NULL),
  ('4', '2026-11-28 02:32:18.665+00', 'api_key.create', '1', 'api_key', 'tuk_cc04bebf4aee34a31213f00d', '{"name": "Overlap", "scopes": ["catalog.products:read", "catalog.products:write", "catalog.axes:write", "catalog.variants:write", "catalog.stock:read", "catalog.stock:write", "catalog.stock:ingest", "analytics.metrics:read", "analytics.users:read"], "expires_at": null, "replaces_key_id": "tuk_09c701fdc7ed0b1260a3db1b"}', 'admin-token', '127.0.0.1/32', 'ec3ef60f-0342-4ff6-8356-13bcbed1ed45', NULL),
  ('5', '2026-11-28 02:32:18.671+00', 'feed_token.create', '1', 'feed_token', '1', '{"name": "ERP"}', 'admin-token', '127.0.0.1/32', '6e521604-af5f-4d65-b96a-e0ce547d5d14', NULL),
  ('6', '2026-11-28 02:32:18.681+00', 'administrator.create', NULL, 'administrator', 'bpa_25a59886effa0d10057bace1', '{"name": "Ada", "role": "support", "brand_ids": [1], "expires_at": null}', 'admin-token', '127.0.0.1/32', 'b54df6f4-62e8-439d-9c31-b17a8ea954ac', NULL),
  ('7', '2026-11-28 02:32:18.689+00', 'session.create', NULL, 'session', '1', '{"role": "administrator", "actor": "admin-token", "expires_at": "2026-11-28T14:32:18.687Z"}', 'admin-token', '127.0.0.1/32', 'fd0d75a7-ad85-4e8d-b89e-0868cacfd207', NULL),
  ('8', '2026-11-28 02:32:19.007+00', 'market.upsert', '1', 'market', '*', '{"items": 2}', 'admin-token', '127.0.0.1/32', '96b6d6b1-3b34-4e4b-868c-ad0012e8715e', NULL),
  ('9', '2026-11-28 02:32:19.018+00', 'point_of_sale.upsert', '1', 'point_of_sale', '*', '{"items": 1}', 'admin-token', '127.0.0.1/32', '821c4ddd-e5f7-4a0a-903b-17add579faf9', NULL);

INSERT INTO muted_concerns (id, muted_at, muted_until, actor) OVERRIDING SYSTEM VALUE VALUES
  ('keys_unused.0123456789abcdef', '2026-11-28 02:32:19.23+00', NULL, 'admin-token');

INSERT INTO open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'NONE', 'WH', '1', '2', '2026-11-28 02:32:18.937+00');

INSERT INTO unverified_refusals (minute, network, reason, count) OVERRIDING SYSTEM VALUE VALUES
  ('2026-03-01 08:30:00+00', '2001:db8:0:0::/64', 'wrong_secret', '3');

INSERT INTO request_minutes (brand_id, key_id, hour, bucket, requests) OVERRIDING SYSTEM VALUE VALUES
  ('1', '', '2026-11-28 02:00:00+00', 'catalog_brand', '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,18,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'),
  ('1', 'tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:00:00+00', 'catalog_key_reads', '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'),
  ('1', 'tuk_09c701fdc7ed0b1260a3db1b', '2026-11-28 02:00:00+00', 'catalog_key_writes', '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,17,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');

INSERT INTO analytics.schema_migrations (name, checksum, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('0001-baseline', '49404ac148ac961ea1b10cab319e83b84490d00ff813323156b7898529e023d9', '2026-11-28 02:32:18.203505+00'),
  ('0002-one-generation-of-a-day', '40bfb87b5b2b5052c289b2a457cbf497a92092627b2894759bca0f9358051f38', '2026-11-28 02:32:18.203505+00'),
  ('0003-revision-floor', '61f4c3d7c65f9c131d0ea93c06c15ce584cdea03557229557c2d34292ef2472c', '2026-11-28 02:32:18.203505+00'),
  ('0004-day-histories', '13b116412ca2115c2521ab5fb81065dd7733d7d4d0f98f3e7aacc4b170d7b763', '2026-11-28 02:32:18.203505+00');

INSERT INTO analytics.schema_objects (name, checksum, "position", applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('routines/drop-events-before', 'fd489e7dbd410fc87eb721796770896d0fe2440d613e2900aa2bc593f0e617e9', '1', '2026-11-28 02:32:18.203505+00'),
  ('routines/make-event-partition', '5bf8c728c55e79ae1f7d73e2fb32b4bc58953f54486d46df49821b8853563153', '2', '2026-11-28 02:32:18.203505+00');

INSERT INTO analytics.schema_revision (is_only, revision, applied_at) OVERRIDING SYSTEM VALUE VALUES
  ('true', '7', '2026-11-28 02:32:18.203505+00');

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
  ('1', '2026-10-19', '2026-11-28 02:32:19.086+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
  ('1', '2026-10-20', '2026-11-28 02:32:19.086+00', '1', '1', '{"daily": 3, "users": 2, "contents": 1, "content_engagement": 2}', '2', '2'),
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
  ('1', 'content_engagement', '2026-10-19', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'content_engagement', '2026-10-20', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-19', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'contents', '2026-10-20', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-19', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'daily', '2026-10-20', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-19', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0'),
  ('1', 'users', '2026-10-20', '1', '2026-11-28 02:32:19.086+00', '1', '0', '0', '0');

INSERT INTO analytics.clickhouse_store (is_only, store_id, has_events, sealed_before) OVERRIDING SYSTEM VALUE VALUES
  ('true', '00000000-0000-4000-8000-000000000001', 'false', '7');

INSERT INTO analytics.event_batches (brand_id, day, batch) OVERRIDING SYSTEM VALUE VALUES
  ('1', '2026-01-01', '9007199254740991');

INSERT INTO analytics.hidden_learners (brand_id, user_id, since, before) OVERRIDING SYSTEM VALUE VALUES
  ('1', '5', '2026-11-28 02:32:19.227+00', '9');

INSERT INTO analytics.published_generations (brand_id, dataset, day, generation) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'users', '2026-01-01', '8');

INSERT INTO analytics.unpublished_generations (brand_id, generation, from_day, to_day, since) OVERRIDING SYSTEM VALUE VALUES
  ('1', '6', '2026-01-01', '2026-01-02', '2026-11-28 02:32:19.227+00');

INSERT INTO analytics.revision_floor (is_only, revision) OVERRIDING SYSTEM VALUE VALUES
  ('true', '1772323200000');

INSERT INTO analytics.day_histories (brand_id, dataset, day, revisions) OVERRIDING SYSTEM VALUE VALUES
  ('1', 'content_engagement', '2026-10-19', '[{"at": 1795833139086, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'content_engagement', '2026-10-20', '[{"at": 1795833139086, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'contents', '2026-10-19', '[{"at": 1795833139086, "rows": 1, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'contents', '2026-10-20', '[{"at": 1795833139086, "rows": 1, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'daily', '2026-10-19', '[{"at": 1795833139086, "rows": 3, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'daily', '2026-10-20', '[{"at": 1795833139086, "rows": 3, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'users', '2026-10-19', '[{"at": 1795833139086, "rows": 2, "cause": "request", "events": 2, "revision": 1}]'),
  ('1', 'users', '2026-10-20', '[{"at": 1795833139086, "rows": 2, "cause": "request", "events": 2, "revision": 1}]');

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
