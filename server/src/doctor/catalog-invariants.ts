import { lockCatalog, writeCatalogChanges } from '../catalog/brand-catalog-store.ts';
import { type Statement, statement } from '../postgres/statement.ts';
import {
  brandScan,
  differs,
  figures,
  type MainInvariant,
  productScan,
  type Rewrite,
  truthOf,
} from './invariant.ts';

/** The rows that are repaired, by their keys, in a brand that is locked. */
interface Repaired {
  readonly brandId: number;
  readonly keys: readonly string[];
  /** The `updated_at` of the repaired products. */
  readonly stampedAt: Date;
}

/** A repair under the lock of the brand's catalog, which notes a change. Restores the catalog's row if it is missing. */
function underCatalogLock(statementsOf: (repaired: Repaired) => readonly Statement<never>[]): Rewrite {
  return async (tx, brandId, keys) => {
    tx.queue(
      statement<never>(
        'restore_brand_catalog',
        `insert into brand_catalogs (brand_id, version, changed_at) values ($1, 1, now_ms())
         on conflict (brand_id) do nothing`,
        [brandId],
      ),
    );
    const catalog = await lockCatalog(tx, brandId);
    const stampedAt = catalog.next();
    writeCatalogChanges([catalog]);
    for (const each of statementsOf({ brandId, keys, stampedAt })) await tx.run(each);
  };
}

/** Foreign keys ensure that every SKU has a claim. A claim without an owner has an actual kind of null. */
const skuClaims: MainInvariant = {
  id: 'sku_claims',
  tables: ['sku_claims', 'products', 'variants'],
  holds: 'Each claim of a SKU names the one product or variant that has the SKU.',
  scan: { table: 'sku_claims', key: 'sku', batchSize: 10_000 },
  sql: `select c.sku as key, c.sku as id, f.field, f.stored, f.actual, p.id is null or v.id is null as "isRepairable"
    from sku_claims c
    left join products p on p.brand_id = c.brand_id and p.sku = c.sku
    left join variants v on v.brand_id = c.brand_id and v.sku = c.sku
    cross join lateral (values
      ('kind', c.kind, case when p.id is not null then 'product' when v.id is not null then 'variant' end),
      ('tu_id', c.tu_id, coalesce(p.tu_id, v.tu_id)),
      ('second_owner', null, case when p.id is not null then v.tu_id end)
    ) as f (field, stored, actual)
    where c.brand_id = $1 and c.sku > $2 and c.sku <= $3 and ${differs}
    order by c.sku`,
  repair: 'rewrites the claim; not where two have the SKU',
  rewrite: underCatalogLock(({ brandId, keys }) => [
    statement(
      'rewrite_sku_claims',
      `with owners as (
         select 'product' as kind, p.tu_id, p.sku from products p where p.brand_id = $1 and p.sku = any($2::text[])
         union all
         select 'variant', v.tu_id, v.sku from variants v where v.brand_id = $1 and v.sku = any($2::text[])
       ), orphans as (
         delete from sku_claims c
         where c.brand_id = $1 and c.sku = any($2::text[]) and not exists (select 1 from owners o where o.sku = c.sku)
       )
       update sku_claims c
       set kind = o.kind, tu_id = o.tu_id
       from owners o
       where c.brand_id = $1 and c.sku = o.sku
         and not exists (select 1 from owners other where other.sku = o.sku and other.kind <> o.kind)`,
      [brandId, keys],
    ),
  ]),
};

const rollupColumns = [
  'live_variants',
  'active_variants',
  'inheriting_variants',
  'own_price_min',
  'own_price_max',
] as const;

/** A constraint guards `has_variants`. The repair changes what the product shows, so its `updated_at` moves. */
const variantRollup: MainInvariant = {
  id: 'variant_rollup',
  tables: ['products', 'variants'],
  holds: 'The variant rollup of a product equals the totals of its live variants.',
  scan: productScan,
  sql: `select p.id::text as key, p.tu_id as id, f.field, f.stored, f.actual, true as "isRepairable"
    from products p
    ${truthOf('product_variant_truth', rollupColumns)}
    ${figures(rollupColumns, 'p', 't')}
    where p.brand_id = $1 and p.id > $2 and p.id <= $3 and ${differs}
    order by p.id`,
  repair: 'recomputes it and moves `updated_at`',
  rewrite: underCatalogLock(({ brandId, keys, stampedAt }) => [
    statement(
      'rewrite_variant_rollups',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
         inheriting_variants = t.inheriting_variants, own_price_min = t.own_price_min,
         own_price_max = t.own_price_max, has_variants = t.live_variants > 0, updated_at = $3
       from product_variant_truth t
       where p.brand_id = $1 and p.id = any($2::bigint[])
         and t.brand_id = $1 and t.product_id = any($2::bigint[]) and t.product_id = p.id`,
      [brandId, keys, stampedAt],
    ),
  ]),
};

const counters = [
  'products_total',
  'products_active',
  'products_with_variants',
  'products_active_with_variants',
] as const;

/** The expected counters of a brand. Counts the variants instead of reading the rollup, which has its own invariant. */
const countedProducts = `
  select count(*) as products_total,
    count(*) filter (where p.is_active) as products_active,
    count(*) filter (where p.has_variants) as products_with_variants,
    count(*) filter (where p.is_active and p.has_variants) as products_active_with_variants
  from (
    select p.is_active, exists (
      select 1 from variants v where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
    ) as has_variants
    from products p
    where p.brand_id = $1
  ) as p`;

/** A brand whose catalog was never changed has no counters, which means 0. */
const productCounters: MainInvariant = {
  id: 'product_counters',
  tables: ['brand_catalogs', 'products'],
  holds: 'The counters of a brand are the numbers of its products.',
  scan: brandScan,
  sql: `select b.id::text as key, b.name as id, f.field, f.stored, f.actual, true as "isRepairable"
    from brands b
    cross join (${countedProducts}) as t
    left join brand_catalogs c on c.brand_id = b.id
    cross join lateral (
      select ${counters.map((column) => `coalesce(c.${column}, 0) as ${column}`).join(', ')}
    ) as s
    ${figures(counters, 's', 't')}
    where b.id = $1 and ${differs}`,
  repair: 'counts again',
  rewrite: underCatalogLock(({ brandId }) => [
    statement(
      'rewrite_counters',
      `update brand_catalogs c
       set ${counters.map((column) => `${column} = t.${column}`).join(', ')}
       from (${countedProducts}) as t
       where c.brand_id = $1`,
      [brandId],
    ),
  ]),
};

/** The rows protect axes and values from deletion; the variant shows the combination: "axis id:value id", by axis id. */
const variantValues: MainInvariant = {
  id: 'variant_values',
  tables: ['variant_axis_values', 'variants', 'axis_values'],
  holds: 'A live variant carries the values of its combination, a deleted one none.',
  scan: { table: 'variants', key: 'id', batchSize: 2_000 },
  sql: `select v.id::text as key, v.tu_id as id, 'values' as field, c.stored, c.actual,
    v.deleted_at is not null or not exists (
      select from string_to_table(v.combination, ',') as p (pair)
      where not exists (
        select from axis_values x where x.brand_id = v.brand_id and x.axis_id || ':' || x.id = p.pair
      )
    ) as "isRepairable"
    from variants v
    cross join lateral (
    select string_agg(x.axis_id || ':' || x.value_id, ',' order by x.axis_id) as stored,
      case when v.deleted_at is null then v.combination end as actual
    from variant_axis_values x where x.brand_id = v.brand_id and x.variant_id = v.id
    ) c
    where v.brand_id = $1 and v.id > $2 and v.id <= $3 and c.stored is distinct from c.actual
    order by v.id`,
  repair: 'rewrites them; not where the combination names what does not exist',
  rewrite: underCatalogLock(({ brandId, keys }) => [
    statement(
      'delete_variant_values',
      'delete from variant_axis_values where brand_id = $1 and variant_id = any($2::bigint[])',
      [brandId, keys],
    ),
    statement(
      'rewrite_variant_values',
      `insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
       select v.brand_id, v.id, split_part(p.pair, ':', 1)::bigint, split_part(p.pair, ':', 2)::bigint
       from variants v cross join lateral string_to_table(v.combination, ',') as p (pair)
       where v.brand_id = $1 and v.id = any($2::bigint[]) and v.deleted_at is null`,
      [brandId, keys],
    ),
  ]),
};

/** The values `x` that live variants `v` of a brand carry according to both their rows and their combination. */
const carriedValues = `variants v
  join variant_axis_values x on x.brand_id = v.brand_id and x.variant_id = v.id
    and x.axis_id || ':' || x.value_id = any(string_to_array(v.combination, ','))
  where v.brand_id = $1 and v.deleted_at is null`;

/** A variant does not show a value that its product does not select. The repair shows it, so `updated_at` moves. */
const axisSelections: MainInvariant = {
  id: 'axis_selections',
  tables: ['product_axes', 'product_axis_values', 'variants'],
  holds: 'A product selects every value that its live variants carry.',
  scan: productScan,
  sql: `select c.product_id::text as key, p.tu_id as id, 'value ' || c.axis_id || ':' || c.value_id as field, null as stored,
      'selected' as actual, true as "isRepairable"
    from (
      select distinct v.product_id, x.axis_id, x.value_id
      from ${carriedValues} and v.product_id > $2 and v.product_id <= $3
    ) c
    join products p on p.brand_id = $1 and p.id = c.product_id
    where not exists (
      select from product_axis_values s
      where s.brand_id = $1 and s.product_id = c.product_id and s.axis_id = c.axis_id and s.value_id = c.value_id
    )
    order by c.product_id, c.axis_id, c.value_id`,
  repair: 'selects it and moves `updated_at`',
  rewrite: underCatalogLock(({ brandId, keys, stampedAt }) => [
    statement(
      'select_carried_axes',
      `insert into product_axes (brand_id, product_id, axis_id, position)
       select $1, c.product_id, c.axis_id, 1 + coalesce(
         (select max(a.position) from product_axes a where a.brand_id = $1 and a.product_id = c.product_id), -1
       )
       from (
         select distinct v.product_id, x.axis_id from ${carriedValues} and v.product_id = any($2::bigint[])
       ) c
       on conflict do nothing`,
      [brandId, keys],
    ),
    statement(
      'select_carried_values',
      `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
       select distinct v.brand_id, v.product_id, x.axis_id, x.value_id
       from ${carriedValues} and v.product_id = any($2::bigint[])
       on conflict do nothing`,
      [brandId, keys],
    ),
    statement(
      'stamp_repaired_products',
      'update products set updated_at = $3 where brand_id = $1 and id = any($2::bigint[])',
      [brandId, keys, stampedAt],
    ),
  ]),
};

export const catalogInvariants: readonly MainInvariant[] = [
  skuClaims,
  variantRollup,
  productCounters,
  variantValues,
  axisSelections,
];
