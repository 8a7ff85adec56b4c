import { statement } from '../../postgres/statement.ts';
import { differs, figures, truthOf } from './difference-sql.ts';
import type { MainInvariant } from './invariant.ts';
import { brandScan, productScan, scan } from './scan.ts';
import { underCatalogLock } from './under-catalog-lock.ts';

/** Foreign keys ensure that every SKU has a claim. A claim without an owner has an actual kind of null. */
const skuClaims: MainInvariant = {
  id: 'sku_claims',
  tables: ['sku_claims', 'products', 'variants'],
  holds: 'Each claim of a SKU names the one product or variant that has the SKU.',
  finds: [
    {
      scan: scan('sku_claims', 'sku'),
      sql: `select c.sku as key, c.sku as id, f.field, f.stored, f.actual, p.id is null or v.id is null as is_repairable
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
    },
  ],
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
  finds: [
    {
      scan: productScan,
      sql: `select p.id::text as key, p.tu_id as id, f.field, f.stored, f.actual, true as is_repairable
        from products p
        ${truthOf('product_variant_truth', rollupColumns)}
        ${figures(rollupColumns, 'p', 't')}
        where p.brand_id = $1 and p.id > $2 and p.id <= $3 and ${differs}
        order by p.id`,
    },
  ],
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
  finds: [
    {
      scan: brandScan,
      sql: `select b.id::text as key, b.name as id, f.field, f.stored, f.actual, true as is_repairable
        from brands b
        cross join (${countedProducts}) as t
        left join brand_catalogs c on c.brand_id = b.id
        cross join lateral (
          select ${counters.map((column) => `coalesce(c.${column}, 0) as ${column}`).join(', ')}
        ) as s
        ${figures(counters, 's', 't')}
        where b.id = $1 and ${differs}`,
    },
  ],
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

export const productInvariants = [skuClaims, variantRollup, productCounters];
