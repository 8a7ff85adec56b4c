import type { StockLock } from '../catalog/stock/brand-stock-store.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { CatalogRepair } from './catalog-repair-store.ts';

/** Lists the products of the levels. */
export async function listProductsOfLevels(
  tx: Transaction,
  brandId: number,
  levelIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ product_id: number }>(
      'list_products_of_levels',
      'select distinct product_id from stock_levels where brand_id = $1 and id = any($2::bigint[])',
      [brandId, levelIds],
    ),
  );
  return rows.map((row) => row.product_id);
}

/** Copies the current data of owners and locations into their levels, which have changed with it. */
export async function rewriteLevelCopies(
  { tx, brandId, stampedAt }: StockLock,
  levelIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'rewrite_level_copies',
      `update stock_levels l
       set sku = t.sku, location_code = t.location_code, is_hidden = t.is_hidden, updated_at = $3
       from (
         select s.id, coalesce(v.sku, p.sku) as sku, o.external_code as location_code,
           v.deleted_at is not null as is_hidden
         from stock_levels s
         join products p on p.brand_id = s.brand_id and p.id = s.product_id
         join stock_locations o on o.brand_id = s.brand_id and o.id = s.location_id
         left join variants v on v.brand_id = s.brand_id and v.id = s.variant_id
         where s.brand_id = $1 and s.id = any($2::bigint[])
       ) as t
       where l.brand_id = $1 and l.id = t.id`,
      [brandId, levelIds, stampedAt],
    ),
  );
}

/**
 * Assigns claims to their owners, and deletes claims without an owner. A SKU with two owners is not changed. SKUs are
 * claimed and used under the brand's catalog lock.
 */
export async function rewriteSkuClaims(
  { tx, brandId }: CatalogRepair,
  skus: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
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
      [brandId, skus],
    ),
  );
}
