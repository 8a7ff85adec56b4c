import { rowSet } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { ChangedLevel } from './stock-changes.ts';
import { addDifference, freshAtOf, noRollupDifference, type RollupPart, rollupPart } from './stock-rollup.ts';

interface RollupDifference {
  readonly brandId: number;
  readonly productId: number;
  readonly sums: RollupPart;
  readonly ownFreshAt: number | null;
  readonly variantFreshAt: number | null;
}

const rollupDifferences = rowSet<RollupDifference>({
  brand_id: ['integer', ({ brandId }) => brandId],
  product_id: ['bigint', ({ productId }) => productId],
  total_quantity: ['bigint', ({ sums }) => sums.total_quantity],
  total_reserved: ['bigint', ({ sums }) => sums.total_reserved],
  own_levels: ['integer', ({ sums }) => sums.own_levels],
  own_counted_levels: ['integer', ({ sums }) => sums.own_counted_levels],
  own_available: ['bigint', ({ sums }) => sums.own_available],
  own_fresh_at: ['timestamptz', ({ ownFreshAt }) => freshAtText(ownFreshAt)],
  variant_levels: ['integer', ({ sums }) => sums.variant_levels],
  variant_counted_levels: ['integer', ({ sums }) => sums.variant_counted_levels],
  variant_available: ['bigint', ({ sums }) => sums.variant_available],
  variant_fresh_at: ['timestamptz', ({ variantFreshAt }) => freshAtText(variantFreshAt)],
});

/** Adds to the rollup of each product what its levels contribute now and did not before; sent with the next statement. */
export function moveRollups(tx: Transaction, levels: readonly ChangedLevel[]): void {
  const differences = new Map<string, RollupDifference>();
  for (const { lock, place, after } of levels) {
    const { brandId } = lock;
    const { productId } = place;
    const key = `${brandId} ${productId}`;
    const known = differences.get(key);
    const { sums, ownFreshAt, variantFreshAt } = known ?? noDifference;
    const freshAt = freshAtOf(place, after);
    const isOwn = place.variantId === null;
    differences.set(key, {
      brandId,
      productId,
      sums: addDifference(sums, rollupPart(place, place.level), rollupPart(place, after)),
      ownFreshAt: isOwn ? latest(ownFreshAt, freshAt) : ownFreshAt,
      variantFreshAt: isOwn ? variantFreshAt : latest(variantFreshAt, freshAt),
    });
  }
  tx.queue(
    statement<never>(
      'move_product_stock',
      `update product_stock s
       set total_quantity = s.total_quantity + g.total_quantity, total_reserved = s.total_reserved + g.total_reserved,
         own_levels = s.own_levels + g.own_levels, own_counted_levels = s.own_counted_levels + g.own_counted_levels,
         own_available = s.own_available + g.own_available, own_fresh_at = greatest(s.own_fresh_at, g.own_fresh_at),
         variant_levels = s.variant_levels + g.variant_levels,
         variant_counted_levels = s.variant_counted_levels + g.variant_counted_levels,
         variant_available = s.variant_available + g.variant_available,
         variant_fresh_at = greatest(s.variant_fresh_at, g.variant_fresh_at)
       from ${rollupDifferences.sql}
       cross join lateral (
         select k.ctid as place from product_stock k where k.brand_id = g.brand_id and k.product_id = g.product_id offset 0
       ) k
       where s.ctid = k.place`,
      rollupDifferences.values([...differences.values()]),
    ),
  );
}

const noDifference = { sums: noRollupDifference, ownFreshAt: null, variantFreshAt: null };

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function freshAtText(freshAt: number | null): string | null {
  if (freshAt === null) return null;
  return freshAt === Number.POSITIVE_INFINITY ? 'infinity' : new Date(freshAt).toISOString();
}
