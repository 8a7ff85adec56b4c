import type pg from 'pg';

/** The size of a brand. All data is derived from these numbers, so two runs use the same data. */
export interface BrandShape {
  readonly brandId: number;
  readonly products: number;
  /** The first of the products; each has 3 variants. */
  readonly withVariants: number;
}

/**
 * Loads the catalogs of brands by SQL, because a million products over HTTP would take an hour: an axis with three values,
 * two locations, products with and without variants, a level with its first movement for each sellable thing at each
 * location, and all derived rows. `doctor` checks the result. Foreign keys are dropped during the load and validated
 * for all rows at once when they are restored, in a fraction of the time.
 */
export async function seedBrands(client: pg.Client, shapes: readonly BrandShape[]): Promise<void> {
  await client.query('begin');
  await client.query("set local work_mem = '256MB'");
  const restoreForeignKeys = await dropForeignKeys(client);
  for (const [text, parameters] of statements) {
    for (const { brandId, products, withVariants } of shapes)
      await client.query(text, [brandId, products, withVariants].slice(0, parameters));
    // Without statistics that know the brands the planner chooses nested loops over whole tables.
    const table = /(?:insert into|update) (\w+)/.exec(text)?.[1];
    await client.query(`analyze ${table}`);
  }
  await restoreForeignKeys();
  await client.query('commit');
}

/** Drops the foreign keys of the loaded tables. Returns the statements that restore them. */
async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as add
     from pg_constraint c
     where c.contype = 'f' and c.conrelid::regclass::text = any($1)`,
    [filledTables],
  );
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    for (const { add } of rows) await client.query(add);
  };
}

const filledTables = [
  'product_axes',
  'product_axis_values',
  'product_stock',
  'products',
  'sku_claims',
  'stock_levels',
  'stock_movements',
  'variant_axis_values',
  'variants',
];

// Each statement with the number of its parameters out of [brand, products, with variants].
const statements: readonly [string, number][] = [
  [`insert into axes (brand_id, code, label, position) values ($1, 'size', 'Size', 0)`, 1],
  [
    `insert into axis_values (brand_id, axis_id, value, label, position)
     select $1, a.id, v.value, upper(v.value), v.n - 1
     from axes a, unnest(array['s', 'm', 'l']) with ordinality as v (value, n)
     where a.brand_id = $1`,
    1,
  ],
  [
    `insert into stock_locations (brand_id, external_code, name)
     values ($1, 'WH-1', 'Warehouse 1'), ($1, 'WH-2', 'Warehouse 2')`,
    1,
  ],
  [
    `insert into products (brand_id, tu_id, sku, type, title, short_description, default_language, versions,
       price_value, price_currency, tax_class, is_active, has_variants, created_at, updated_at, live_variants,
       active_variants, inheriting_variants, own_price_min, own_price_max)
     select $1::integer, left(translate(encode(sha256(($1 || ':' || n)::bytea), 'base64'), '+/', '-_'), 21),
       'SKU-' || lpad(n::text, 7, '0'), 'simple', 'Product number ' || n, 'What there is to say of product ' || n,
       'en', jsonb_build_object('en', jsonb_build_object('title', 'Product number ' || n),
         'de', jsonb_build_object('title', 'Produkt Nummer ' || n)),
       (n % 500) + 0.99, 'EUR', 'standard', n % 10 <> 0, n <= $3,
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-06-01' + n * interval '1 second',
       case when n <= $3 then 3 else 0 end, case when n <= $3 then 3 else 0 end, case when n <= $3 then 2 else 0 end,
       case when n <= $3 then (n % 500) + 1.99 end, case when n <= $3 then (n % 500) + 1.99 end
     from generate_series(1, $2::integer) as n`,
    3,
  ],
  [
    `insert into product_axes (brand_id, product_id, axis_id, position)
     select $1, p.id, a.id, 0 from products p join axes a on a.brand_id = p.brand_id
     where p.brand_id = $1 and p.has_variants`,
    1,
  ],
  [
    `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
     select $1, p.id, v.axis_id, v.id from products p join axis_values v on v.brand_id = p.brand_id
     where p.brand_id = $1 and p.has_variants`,
    1,
  ],
  [
    `insert into variants (brand_id, product_id, tu_id, sku, barcode, combination, price_value, position, is_active,
       created_at, updated_at)
     select $1, p.id, left(translate(encode(sha256((p.tu_id || v.value)::bytea), 'base64'), '+/', '-_'), 21),
       p.sku || '-' || upper(v.value), null, v.axis_id || ':' || v.id,
       case when v.position = 2 then p.price_value + 1 end, v.position, true, p.created_at, p.updated_at
     from products p join axis_values v on v.brand_id = p.brand_id
     where p.brand_id = $1 and p.has_variants
     order by p.id, v.position`,
    1,
  ],
  [
    `insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
     select $1, v.id, split_part(v.combination, ':', 1)::bigint, split_part(v.combination, ':', 2)::bigint
     from variants v where v.brand_id = $1`,
    1,
  ],
  [
    `insert into sku_claims (brand_id, sku, kind, tu_id)
     select $1, sku, 'product', tu_id from products where brand_id = $1
     union all select $1, sku, 'variant', tu_id from variants where brand_id = $1`,
    1,
  ],
  [
    `insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
       source_updated_at, is_from_feed, updated_at)
     select $1, p.product_id, p.variant_id, o.id, p.sku, o.external_code, 100 + p.product_id % 50,
       timestamptz '2026-06-01', false, timestamptz '2026-06-01'
     from (
       select id as product_id, null::bigint as variant_id, sku from products
       where brand_id = $1 and not has_variants
       union all select product_id, id, sku from variants where brand_id = $1
     ) as p
     join stock_locations o on o.brand_id = $1
     order by p.product_id, p.variant_id, o.id`,
    1,
  ],
  [
    `insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
       quantity_after, reason, note, created_at)
     select $1, l.id, l.product_id, l.variant_id, l.sku, l.location_code, 0, l.quantity, 'manual', 'opening stock',
       l.updated_at
     from stock_levels l where l.brand_id = $1 order by l.id`,
    1,
  ],
  [
    `insert into product_stock (brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels,
       own_available, own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at)
     select brand_id, product_id, total_quantity, total_reserved, own_levels, own_counted_levels, own_available,
       own_fresh_at, variant_levels, variant_counted_levels, variant_available, variant_fresh_at
     from product_stock_truth where brand_id = $1`,
    1,
  ],
  [
    `update brand_catalogs c
     set version = 1, changed_at = greatest(c.changed_at, p.changed_at), products_total = p.total,
       products_active = p.active, products_with_variants = p.with_variants,
       products_active_with_variants = p.active_with_variants
     from (
       select max(updated_at) as changed_at, count(*) as total, count(*) filter (where is_active) as active,
         count(*) filter (where has_variants) as with_variants,
         count(*) filter (where is_active and has_variants) as active_with_variants
       from products where brand_id = $1
     ) p
     where c.brand_id = $1`,
    1,
  ],
];
