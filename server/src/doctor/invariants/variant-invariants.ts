import { statement } from '../../postgres/statement.ts';
import type { MainInvariant } from './invariant.ts';
import { productScan, variantScan } from './scan.ts';
import { underCatalogLock } from './under-catalog-lock.ts';

// A combination is "axis id:value id", by axis id, separated by commas.
const pairs = `regexp_split_to_table(v.combination, ',') with ordinality as p (pair, place)`;
const isKnown = `p.pair ~ '^[0-9]{1,18}:[0-9]{1,18}$' and exists (
  select from axis_values x
  where x.brand_id = v.brand_id
    and x.axis_id = case when p.pair ~ '^[0-9]{1,18}:[0-9]{1,18}$' then split_part(p.pair, ':', 1)::bigint end
    and x.id = case when p.pair ~ '^[0-9]{1,18}:[0-9]{1,18}$' then split_part(p.pair, ':', 2)::bigint end
)`;

/** A condition that every pair in the combination of `v` is an axis and one of its values. */
const combinationIsKnown = `not exists (select from ${pairs} where not (${isKnown}))`;

const combinations: MainInvariant = {
  id: 'variant_combinations',
  tables: ['variants', 'axis_values'],
  holds: 'The combination of a live variant names existing axes and values, in the order of axis ids.',
  finds: [
    {
      scan: variantScan,
      sql: `select v.id::text as key, v.tu_id as id, 'combination' as field, v.combination as stored, c.known as actual,
          false as is_repairable
        from variants v
        cross join lateral (
          select string_agg(p.pair, ',' order by split_part(p.pair, ':', 1)::bigint) as known from ${pairs} where ${isKnown}
        ) c
        where v.brand_id = $1 and v.id > $2 and v.id <= $3 and v.deleted_at is null
          and c.known is distinct from v.combination
        order by v.id`,
    },
  ],
  repair: null,
};

/** The rows protect axes and values from deletion; the variant shows the combination. */
const values: MainInvariant = {
  id: 'variant_values',
  tables: ['variant_axis_values', 'variants'],
  holds: 'A live variant carries the values of its combination, a deleted one none.',
  finds: [
    {
      scan: variantScan,
      sql: `select v.id::text as key, v.tu_id as id, 'values' as field, c.stored, c.actual,
          v.deleted_at is not null or ${combinationIsKnown} as is_repairable
        from variants v
        cross join lateral (
          select string_agg(x.axis_id || ':' || x.value_id, ',' order by x.axis_id) as stored,
            case when v.deleted_at is null then v.combination end as actual
          from variant_axis_values x where x.brand_id = v.brand_id and x.variant_id = v.id
        ) c
        where v.brand_id = $1 and v.id > $2 and v.id <= $3 and c.stored is distinct from c.actual
        order by v.id`,
    },
  ],
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
       from variants v cross join lateral regexp_split_to_table(v.combination, ',') as p (pair)
       where v.brand_id = $1 and v.id = any($2::bigint[]) and v.deleted_at is null`,
      [brandId, keys],
    ),
  ]),
};

const carried = `select distinct v.product_id, x.axis_id, x.id as value_id
  from variants v
  cross join lateral regexp_split_to_table(v.combination, ',') as p (pair)
  join axis_values x on x.brand_id = v.brand_id and x.axis_id::text || ':' || x.id = p.pair
  where v.brand_id = $1 and v.product_id = any($2::bigint[]) and v.deleted_at is null`;

/** A variant does not show a value that its product does not select. The repair shows it, so `updated_at` moves. */
const selections: MainInvariant = {
  id: 'axis_selections',
  tables: ['product_axes', 'product_axis_values', 'variants'],
  holds: 'A product selects every value that its live variants carry.',
  finds: [
    {
      scan: productScan,
      sql: `select v.product_id::text as key, q.tu_id as id, 'value ' || p.pair as field, null as stored, 'selected' as actual,
          true as is_repairable
        from variants v
        join products q on q.brand_id = v.brand_id and q.id = v.product_id
        cross join lateral ${pairs}
        where v.brand_id = $1 and v.product_id > $2 and v.product_id <= $3 and v.deleted_at is null and ${isKnown}
          and not exists (
            select from product_axis_values s
            where s.brand_id = v.brand_id and s.product_id = v.product_id and s.axis_id::text || ':' || s.value_id = p.pair
          )
        group by v.product_id, q.tu_id, p.pair
        order by v.product_id, p.pair`,
    },
  ],
  repair: 'selects it and moves `updated_at`',
  rewrite: underCatalogLock(({ brandId, keys, stampedAt }) => [
    statement(
      'select_carried_axes',
      `insert into product_axes (brand_id, product_id, axis_id, position)
       select $1, c.product_id, c.axis_id, 1 + coalesce(
         (select max(a.position) from product_axes a where a.brand_id = $1 and a.product_id = c.product_id), -1
       )
       from (select distinct product_id, axis_id from (${carried}) t) c
       on conflict do nothing`,
      [brandId, keys],
    ),
    statement(
      'select_carried_values',
      `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
       select $1, product_id, axis_id, value_id from (${carried}) c
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

export const variantInvariants = [combinations, values, selections];
