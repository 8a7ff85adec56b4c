import pg from 'pg';
import { insertFeedLines } from '../support/insert-feed-lines.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** The size of the data. A scan or a nested loop over it stands out by orders of magnitude. */
const size = {
  products: 30_000,
  /** The oldest products, so that those with variants are far from the start of the usual order. */
  parents: 5_000,
  variantsOfParent: 4,
  bigAxisValues: 4_000,
  /** Movements of the first product, besides one of each level. */
  busyMovements: 10_000,
  feedLines: 30_000,
  stockChanges: 10_000,
  learners: 10_000,
  contents: 400,
  days: 120,
} as const;

/** Disables autovacuum, so that a table has no statistics before a test analyses it. */
export async function keepUnanalyzed({ sql }: TestDatabase): Promise<void> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'analytics')`,
  );
  for (const { name } of tables) await sql(`alter table ${name} set (autovacuum_enabled = false)`);
}

/**
 * Analyses every table from all of its rows, so that its statistics are the same in each run. A sample is as large as the column
 * with the highest target asks for; that of `brand_id`, which has few values, changes no other column's.
 */
export async function analyzeAllRows({ sql }: TestDatabase): Promise<void> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'brand_id'
     where c.relkind = 'r' and n.nspname in ('public', 'analytics')`,
  );
  // 300 rows for each unit.
  for (const { name } of tables) await sql(`alter table ${name} alter column brand_id set statistics 10000`);
  await sql('analyze');
}

type Load = <Row extends object>(text: string, values?: readonly number[]) => Promise<Row[]>;

/**
 * Runs `work` on a connection without time limits. Numbers replace `$1` and so on in the SQL, so that their types
 * follow from the context.
 */
export async function onOwnConnection(
  { address }: TestDatabase,
  work: (sql: Load) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(address as pg.ClientConfig);
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    await work(async (text, values = []) => {
      const inlined = text.replaceAll(/\$(\d)/g, (_, place) => String(values[Number(place) - 1]));
      return (await client.query(inlined)).rows;
    });
  } finally {
    await client.end();
  }
}

/** Loads a large catalog for a brand that has the locations L1 and L2 and the axis `size` with four values. */
export function loadCatalog(database: TestDatabase, brandId: number): Promise<void> {
  return onOwnConnection(database, (sql) => loadCatalogBy(sql, brandId));
}

async function loadCatalogBy(sql: Load, brandId: number): Promise<void> {
  const { products, parents, variantsOfParent, bigAxisValues, busyMovements, feedLines, stockChanges } = size;
  await sql(
    `insert into sku_claims (brand_id, sku, kind, tu_id)
     select $1, 'P' || lpad(n::text, 6, '0'), 'product', 'p' || lpad(n::text, 20, '0') from generate_series(1, $2) n
     union all
     select $1, 'V' || lpad(n::text, 6, '0'), 'variant', 'v' || lpad(n::text, 20, '0') from generate_series(1, $3) n`,
    [brandId, products, parents * variantsOfParent],
  );
  await sql(
    `insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value, price_currency,
       tax_class, is_active, created_at, updated_at, has_variants, live_variants, active_variants, inheriting_variants)
     select $1, 'p' || lpad(n::text, 20, '0'), 'P' || lpad(n::text, 6, '0'), 'simple', 'Product ' || n, 'en', '{}', 10,
       'EUR', 'standard', n > 100, timestamptz '2026-01-01' + n * interval '1 minute',
       timestamptz '2026-01-01' + n * interval '1 minute', n <= $3, case when n <= $3 then $4 else 0 end,
       case when n <= $3 then $4 else 0 end, case when n <= $3 then $4 else 0 end
     from generate_series(1, $2) n`,
    [brandId, products, parents, variantsOfParent],
  );
  await sql(
    `insert into axis_values (brand_id, axis_id, value, position)
     select $1, a.id, 'b' || n, n from axes a, generate_series(1, $2) n where a.brand_id = $1 and a.code = 'big'
     on conflict do nothing`,
    [brandId, bigAxisValues],
  );
  await sql(
    `with parents as (select id from products where brand_id = $1 and has_variants and sku ~ '^P'),
       size as (select id from axes where brand_id = $1 and code = 'size'),
       selected as (
         insert into product_axes (brand_id, product_id, axis_id, position)
         select $1, p.id, s.id, 0 from parents p, size s
       )
     insert into product_axis_values (brand_id, product_id, axis_id, value_id)
     select $1, p.id, s.id, v.id from parents p, size s join axis_values v on v.brand_id = $1 and v.axis_id = s.id`,
    [brandId],
  );
  await sql(
    `with made as (
       insert into variants (brand_id, product_id, tu_id, sku, combination, position, is_active, created_at, updated_at)
       select $1, p.id, 'v' || lpad(x.n::text, 20, '0'), 'V' || lpad(x.n::text, 6, '0'), w.axis_id || ':' || w.id,
         w.position, true, p.created_at, p.updated_at
       from products p
       cross join lateral (select w.axis_id, w.id, w.position from axis_values w join axes a on a.brand_id = $1
         and a.id = w.axis_id and a.code = 'size' where w.brand_id = $1 order by w.id limit $2) w
       cross join lateral (select (substr(p.sku, 2)::integer - 1) * $2 + w.position + 1 as n) x
       where p.brand_id = $1 and p.has_variants and p.sku ~ '^P'
       returning id, combination
     )
     insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
     select $1, id, split_part(combination, ':', 1)::bigint, split_part(combination, ':', 2)::bigint from made`,
    [brandId, variantsOfParent],
  );
  await sql(
    `insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
       source_updated_at, is_from_feed, updated_at)
     select $1, x.product_id, x.variant_id, o.id, x.sku, o.external_code, 7, now() - interval '1 day', true, now()
     from (
       select id as product_id, null::bigint as variant_id, sku from products
       where brand_id = $1 and not has_variants and sku ~ '^P'
       union all select product_id, id, sku from variants where brand_id = $1 and sku ~ '^V'
     ) x cross join stock_locations o
     where o.brand_id = $1`,
    [brandId],
  );
  await sql(
    `insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
       quantity_after, reason, note)
     select $1, id, product_id, variant_id, sku, location_code, 0, 7, 'feed', 'feed:load' from stock_levels
     where brand_id = $1 and sku ~ '^[PV]'`,
    [brandId],
  );
  // Changes of one level, and every 50th of 1,000, as a feed's.
  await sql(
    `with levels as (
       select array_agg(id order by id) as ids from stock_levels where brand_id = $1
     ), now as (
       select version, greatest(changed_at, now()) as changed_at from brand_stocks where brand_id = $1
     ), made as (
       insert into stock_changes (brand_id, version, changed_at, level_ids)
       select $1, now.version + n, now.changed_at + n * interval '1 millisecond',
         case when n % 50 = 0 then levels.ids[n:n + 999] else levels.ids[n:n] end
       from now, levels, generate_series(1, $2) n
     )
     update brand_stocks s set version = now.version + $2, changed_at = now.changed_at + $2 * interval '1 millisecond'
     from now where s.brand_id = $1`,
    [brandId, stockChanges],
  );
  // One variant's levels of a busy product, and few of the others.
  await sql(
    `insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code, quantity_before,
       quantity_after, reason, note)
     select $1, l.id, l.product_id, l.variant_id, l.sku, l.location_code, n % 2, 1 - n % 2, 'manual', 'load'
     from (select * from stock_levels where brand_id = $1 and sku = 'V000001' and location_code = 'L1') l,
       generate_series(1, $2) n`,
    [brandId, busyMovements],
  );
  await sql(
    `insert into product_stock (brand_id, product_id, total_quantity, own_levels, own_counted_levels, own_available,
       variant_levels, variant_counted_levels, variant_available)
     select brand_id, id, 14, 2, 2, 14, 0, 0, 0 from products where brand_id = $1
     on conflict (brand_id, product_id) do nothing`,
    [brandId],
  );
  await sql(
    `insert into brand_catalogs (brand_id, version, changed_at, products_total, products_active, products_with_variants,
       products_active_with_variants)
     values ($1, 1, now(), $2, $2 - 100, $3, $3 - 100)
     on conflict (brand_id) do update set products_total = $2, products_active = $2 - 100,
       products_with_variants = $3, products_active_with_variants = $3 - 100`,
    [brandId, products, parents],
  );
  await sql(
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
         received_at, finished_at)
       values ($1, 'f' || lpad('1', 20, '0'), 'load', '', 'erp', 'completed', $2, $2, jsonb_build_object('applied', $2::integer),
         now(), now())
       returning id
     )
     ${insertFeedLines(`select $1::integer, feed.id, n - 1, 'P' || lpad(n::text, 6, '0'), 'L1', 1, now(), 'applied'
     from feed, generate_series(1, $2) n`)}`,
    [brandId, feedLines],
  );
  await sql(
    `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
     select $1, n, now() - (10001 - n) * interval '1 minute', 'request-' || n, 'tuk_' || n % 7, 'GET', '/', 404, 'not_found',
       '{}', 1
     from generate_series(1, 10000) n on conflict do nothing`,
    [brandId],
  );
  await sql(
    `insert into idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body)
     select $1, 1, 'load-' || n, '\\x00', 200, '{}', '{}' from generate_series(1, 20000) n`,
    [brandId],
  );
}

/** Loads learners, contents, a year of datasets and a month of raw events. */
export function loadAnalytics(database: TestDatabase, brandId: number): Promise<void> {
  return onOwnConnection(database, (sql) => loadAnalyticsBy(sql, brandId));
}

async function loadAnalyticsBy(sql: Load, brandId: number): Promise<void> {
  const { learners, contents, days } = size;
  await sql(
    `insert into learners (brand_id, tu_id, market_id, analytics_opt_out)
     select $1, 'u' || n, null, n % 1000 = 0 from generate_series(1, $2) n`,
    [brandId, learners],
  );
  await sql(
    `insert into contents (brand_id, type, tu_id, name, is_listed)
     select $1, case when n % 4 = 0 then 'program' else 'episode' end, 'c' || n, 'Content ' || n, true
     from generate_series(1, $2) n on conflict do nothing`,
    [brandId, contents],
  );
  const zeros = (columns: readonly string[]) => columns.map(() => '0').join(', ');
  const columnsOf = async (table: string, known: readonly string[]) =>
    (
      await sql<{ column_name: string }>(
        `select column_name from information_schema.columns
         where table_schema = 'analytics' and table_name = '${table}' and is_generated = 'NEVER' order by ordinal_position`,
      )
    )
      .map(({ column_name }) => column_name)
      .filter((column) => !known.includes(column));
  const load = async (table: string, known: Record<string, string>, from: string) => {
    const others = await columnsOf(table, Object.keys(known));
    await sql(
      `insert into analytics.${table} (${[...Object.keys(known), ...others].join(', ')})
       select ${[...Object.values(known), ...(others.length > 0 ? [zeros(others)] : [])].join(', ')} from ${from}
       on conflict do nothing`,
    );
  };
  const day = `current_date - 1 - d`;
  await load(
    'brand_days',
    {
      brand_id: String(brandId),
      day,
      aggregated_at: 'now()',
      row_counts: `'{"daily": 1, "contents": 400, "users": 333, "content_engagement": 1333}'`,
    },
    `generate_series(0, ${days - 1}) d`,
  );
  await load(
    'daily',
    { brand_id: String(brandId), day, market_id: 'm' },
    `generate_series(0, ${days - 1}) d, generate_series(0, 5) m`,
  );
  await load(
    'contents',
    { brand_id: String(brandId), day, content_ref_id: 'c.id', content_type: 'c.type' },
    `generate_series(0, ${days - 1}) d, contents c where c.brand_id = ${brandId}`,
  );
  // A learner is active on every 30th day, one of a thousand rows is completed.
  await load(
    'users',
    { brand_id: String(brandId), day, user_id: 'u.id' },
    `generate_series(0, ${days - 1}) d join learners u on u.brand_id = ${brandId} and u.id % 30 = d % 30`,
  );
  await load(
    'content_engagement',
    {
      brand_id: String(brandId),
      day,
      user_id: 'u.id',
      content_ref_id: 'c.id',
      content_type: 'c.type',
      completions: 'case when (u.id * 7 + c.id + d) % 1000 = 0 then 1 else 0 end',
    },
    `generate_series(0, ${days - 1}) d join learners u on u.brand_id = ${brandId} and u.id % 30 = d % 30
     cross join generate_series(0, 3) k
     join (select id, type, row_number() over (order by id) as n from contents where brand_id = ${brandId}) c
       on c.n = (u.id * 7 + k * 97) % ${contents} + 1`,
  );
  await sql(
    `with given as (
       select current_date - 1 - (n % 30) as day, 'e' || n as event_id, n from generate_series(1, 50000) n
     ), claimed as (
       insert into analytics.event_claims (brand_id, event_id, day) select $1, event_id, day from given
     )
     insert into analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type,
       time_spent_seconds, xp_earned)
     select $1, g.day, g.event_id, g.day + interval '1 hour', 'view', u.id, c.id, c.type, 1, 1
     from given g
     join (select id, row_number() over (order by id) as n from learners where brand_id = $1) u on u.n = g.n % 9000 + 1
     join (select id, type, row_number() over (order by id) as n from contents where brand_id = $1) c on c.n = g.n % 399 + 1`,
    [brandId],
  );
}
