import { statement } from '../postgres/statement.ts';
import type { CatalogRepair } from './catalog-repair-store.ts';
import { countedProducts } from './queries/find-counter-differences.ts';

/** Recomputes the rollups of products from their variants. */
export async function rewriteVariantRollups(
  { tx, brandId, stampedAt }: CatalogRepair,
  productIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'rewrite_variant_rollups',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
         inheriting_variants = t.inheriting_variants, own_price_min = t.own_price_min,
         own_price_max = t.own_price_max, has_variants = t.live_variants > 0, updated_at = $3
       from product_variant_truth t
       where p.brand_id = $1 and p.id = any($2::bigint[])
         and t.brand_id = $1 and t.product_id = any($2::bigint[]) and t.product_id = p.id`,
      [brandId, productIds, stampedAt],
    ),
  );
}

/** Recounts the brand's products. The catalog lock is a lock on the row. */
export async function rewriteCounters({ tx, brandId }: CatalogRepair): Promise<void> {
  await tx.run(
    statement<never>(
      'rewrite_counters',
      `update brand_catalogs c
       set products_total = t.products_total, products_active = t.products_active,
         products_with_variants = t.products_with_variants,
         products_active_with_variants = t.products_active_with_variants
       from (${countedProducts}) as t
       where c.brand_id = $1`,
      [brandId],
    ),
  );
}
