import { statement } from '../postgres/statement.ts';
import type { CatalogRepair } from './catalog-repair-store.ts';

/** Recreates the rows of `variant_axis_values` from the combinations. */
export async function rewriteVariantValues(
  { tx, brandId }: CatalogRepair,
  variantIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_variant_values',
      'delete from variant_axis_values where brand_id = $1 and variant_id = any($2::bigint[])',
      [brandId, variantIds],
    ),
  );
  await tx.run(
    statement<never>(
      'rewrite_variant_values',
      `insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
       select v.brand_id, v.id, split_part(p.pair, ':', 1)::bigint, split_part(p.pair, ':', 2)::bigint
       from variants v cross join lateral regexp_split_to_table(v.combination, ',') as p (pair)
       where v.brand_id = $1 and v.id = any($2::bigint[]) and v.deleted_at is null`,
      [brandId, variantIds],
    ),
  );
}

/** Selects the values that live variants of the products have. */
export async function selectCarriedValues(
  { tx, brandId, stampedAt }: CatalogRepair,
  productIds: readonly string[],
): Promise<void> {
  const carried = `select distinct v.product_id, x.axis_id, x.id as value_id
    from variants v
    cross join lateral regexp_split_to_table(v.combination, ',') as p (pair)
    join axis_values x on x.brand_id = v.brand_id and x.axis_id::text || ':' || x.id = p.pair
    where v.brand_id = $1 and v.product_id = any($2::bigint[]) and v.deleted_at is null`;
  await tx.run(
    statement<never>(
      'select_carried_axes',
      `insert into product_axes (brand_id, product_id, axis_id, position)
       select $1, c.product_id, c.axis_id, 1 + coalesce(
         (select max(a.position) from product_axes a where a.brand_id = $1 and a.product_id = c.product_id), -1
       )
       from (select distinct product_id, axis_id from (${carried}) t) c
       on conflict do nothing`,
      [brandId, productIds],
    ),
  );
  await tx.run(
    statement<never>(
      'select_carried_values',
      `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
       select $1, product_id, axis_id, value_id from (${carried}) c
       on conflict do nothing`,
      [brandId, productIds],
    ),
  );
  await tx.run(
    statement<never>(
      'stamp_repaired_products',
      'update products set updated_at = $3 where brand_id = $1 and id = any($2::bigint[])',
      [brandId, productIds, stampedAt],
    ),
  );
}
