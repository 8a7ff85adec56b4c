import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';

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

/**
 * Compares the rows of `variant_axis_values`, which protect axes and values from deletion, with the
 * combination, which the variant shows. A deleted variant has none. Repairable if the combination names
 * existing values.
 */
export async function findVariantValueDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'variant_value_differences',
      `select v.id::text as key, v.tu_id as id, 'values' as field, c.stored, c.actual,
         v.deleted_at is not null or ${combinationIsKnown} as is_repairable
       from variants v
       cross join lateral (
         select string_agg(x.axis_id || ':' || x.value_id, ',' order by x.axis_id) as stored,
           case when v.deleted_at is null then v.combination end as actual
         from variant_axis_values x where x.brand_id = v.brand_id and x.variant_id = v.id
       ) c
       where v.brand_id = $1 and v.id > $2 and v.id <= $3 and c.stored is distinct from c.actual
       order by v.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}

/** Finds combinations of live variants with an axis or value that does not exist, or that are not in axis order. */
export async function findCombinationDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'combination_differences',
      `select v.id::text as key, v.tu_id as id, 'combination' as field, v.combination as stored, c.known as actual,
         false as is_repairable
       from variants v
       cross join lateral (
         select string_agg(p.pair, ',' order by split_part(p.pair, ':', 1)::bigint) as known from ${pairs} where ${isKnown}
       ) c
       where v.brand_id = $1 and v.id > $2 and v.id <= $3 and v.deleted_at is null
         and c.known is distinct from v.combination
       order by v.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}

/** Finds values that live variants have and their product does not select: the variant does not show them. */
export async function findSelectionDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'selection_differences',
      `select v.product_id::text as key, q.tu_id as id, 'value ' || p.pair as field, null as stored, 'selected' as actual,
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
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
