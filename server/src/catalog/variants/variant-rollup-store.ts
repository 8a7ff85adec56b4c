import { statement } from '../../postgres/statement.ts';
import { type CatalogWrite, moveProductCounters } from '../brand-catalog-store.ts';

interface Flip {
  is_active: boolean;
  had_variants: boolean;
  has_variants: boolean;
}

/**
 * Recomputes a product's variant rollup after a change of its variants, stamps `updated_at` [catalog-25] and updates
 * the brand's counters when the product has become a variant parent, or is no longer one.
 */
export async function refreshVariantRollup(write: CatalogWrite, productId: number): Promise<void> {
  const { tx, brandId, stampedAt } = write;
  const rows = await tx.run(
    statement<Flip>(
      'refresh_variant_rollup',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
           inheriting_variants = t.inheriting_variants,
           own_price_min = t.own_price_min, own_price_max = t.own_price_max,
           has_variants = t.live_variants > 0, updated_at = $3
       from product_variant_truth t, products was
       where p.brand_id = $1 and p.id = $2
         and t.brand_id = $1 and t.product_id = $2
         and was.brand_id = $1 and was.id = $2
       returning p.is_active, was.has_variants as had_variants, p.has_variants`,
      [brandId, productId, stampedAt],
    ),
  );
  const row = rows[0];
  if (row === undefined || row.had_variants === row.has_variants) return;
  const by = row.has_variants ? 1 : -1;
  moveProductCounters(write, { withVariants: by, activeWithVariants: row.is_active ? by : 0 });
}
