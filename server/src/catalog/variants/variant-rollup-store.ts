import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Recomputes the variant rollups of products from their variants, and stamps `updated_at` [catalog-25]. Sent with the
 * next statement.
 */
export function refreshVariantRollups(
  tx: Transaction,
  products: readonly { readonly brandId: number; readonly productId: number; readonly stampedAt: Date }[],
): void {
  if (products.length === 0) return;
  const rows = products.map(({ brandId, productId, stampedAt }) => {
    return { brand_id: brandId, id: productId, stamped_at: stampedAt };
  });
  tx.queue(
    statement<never>(
      'refresh_variant_rollups',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
           inheriting_variants = t.inheriting_variants,
           own_price_min = t.own_price_min, own_price_max = t.own_price_max,
           has_variants = t.live_variants > 0, updated_at = g.stamped_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, stamped_at timestamptz)
       cross join lateral (
         select k.ctid as place from products k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       cross join lateral (
         select * from product_variant_truth t where t.brand_id = g.brand_id and t.product_id = g.id offset 0
       ) t
       where p.ctid = k.place`,
      [JSON.stringify(rows)],
    ),
  );
}
