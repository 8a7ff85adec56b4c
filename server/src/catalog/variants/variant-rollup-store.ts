import { placesIn, rowSet } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

interface ProductStamp {
  readonly brandId: number;
  readonly productId: number;
  readonly stampedAt: Date;
}

const stamps = rowSet<ProductStamp>({
  brand_id: ['integer', ({ brandId }) => brandId],
  id: ['bigint', ({ productId }) => productId],
  stamped_at: ['timestamptz', ({ stampedAt }) => stampedAt],
});

/**
 * Recomputes rollups from the variants, and writes the last stamp of each product as its `updated_at` [catalog-25]; sent with
 * the next statement.
 */
export function refreshVariantRollups(tx: Transaction, changes: readonly ProductStamp[]): void {
  const last = new Map<number, ProductStamp>();
  for (const change of changes) {
    const known = last.get(change.productId);
    if (known === undefined || known.stampedAt < change.stampedAt) last.set(change.productId, change);
  }
  if (last.size === 0) return;
  tx.queue(
    statement<never>(
      'refresh_variant_rollups',
      `update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
           inheriting_variants = t.inheriting_variants,
           own_price_min = t.own_price_min, own_price_max = t.own_price_max,
           has_variants = t.live_variants > 0, updated_at = g.stamped_at
       from ${stamps.sql}
       ${placesIn({ table: 'products', key: ['brand_id', 'id'] })}
       cross join lateral (
         select * from product_variant_truth t where t.brand_id = g.brand_id and t.product_id = g.id offset 0
       ) t
       where p.ctid = k.place`,
      stamps.values([...last.values()]),
    ),
  );
}
