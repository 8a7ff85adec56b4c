import { columnList } from '../../postgres/column-list.ts';
import { statement } from '../../postgres/statement.ts';
import { type RowWrite, update } from '../../postgres/write-rows.ts';
import type { StockLock } from './brand-stock-store.ts';
import { addChange, noRollup, type Rollup, rollupPart } from './level-decision.ts';
import type { ChangedLevel } from './stock-changes.ts';

/** Instants as PostgreSQL reads them, of which one may be infinite. */
interface StoredRollup extends Omit<Rollup, 'ownFreshAt' | 'variantFreshAt'> {
  readonly ownFreshAt: string | null;
  readonly variantFreshAt: string | null;
}

const sum = (column: string, sqlType: 'integer' | 'bigint') => ({ column, sqlType });
const latest = (column: string) => ({ column, sqlType: 'timestamptz' });

/** The stored columns of the view `product_stock_truth`. */
const rollup = columnList<StoredRollup>({
  totalQuantity: sum('total_quantity', 'bigint'),
  totalReserved: sum('total_reserved', 'bigint'),
  ownLevels: sum('own_levels', 'integer'),
  ownCountedLevels: sum('own_counted_levels', 'integer'),
  ownAvailable: sum('own_available', 'bigint'),
  ownFreshAt: latest('own_fresh_at'),
  variantLevels: sum('variant_levels', 'integer'),
  variantCountedLevels: sum('variant_counted_levels', 'integer'),
  variantAvailable: sum('variant_available', 'bigint'),
  variantFreshAt: latest('variant_fresh_at'),
});

export const rollupColumns: readonly string[] = rollup.columns.map(({ column }) => column);

interface RollupChange {
  readonly brandId: number;
  readonly productId: number;
  readonly added: Rollup;
}

const latestColumns = rollup.columns.flatMap(({ column, sqlType }) =>
  sqlType === 'timestamptz' ? [column] : [],
);

const rollups = update<Omit<RollupChange, 'added'> & { readonly added: StoredRollup }>(
  'rollups',
  { table: 'product_stock', key: ['brand_id', 'product_id'] },
  {
    brand_id: ['integer', ({ brandId }) => brandId],
    product_id: ['bigint', ({ productId }) => productId],
    ...rollup.setColumns(({ added }) => added),
  },
  (column) =>
    latestColumns.includes(column) ? `greatest(t.${column}, g.${column})` : `t.${column} + g.${column}`,
);

/** Adds to the rollup of each product what its levels contribute now and did not before. */
export function movedRollups(levels: readonly ChangedLevel[]): RowWrite {
  const changes = new Map<string, RollupChange>();
  for (const { moment, target, after } of levels) {
    const { brandId } = moment;
    const { productId, level } = target;
    const key = `${brandId} ${productId}`;
    const sums = changes.get(key)?.added ?? noRollup;
    const added = addChange(sums, rollupPart(target, level), rollupPart(target, after));
    changes.set(key, { brandId, productId, added });
  }
  const rows = [...changes.values()].map(({ added, ...product }) => {
    const freshAt = {
      ownFreshAt: instantOf(added.ownFreshAt),
      variantFreshAt: instantOf(added.variantFreshAt),
    };
    return { ...product, added: { ...added, ...freshAt } };
  });
  return rollups(rows);
}

function instantOf(freshAt: number | null): string | null {
  if (freshAt === null) return null;
  return freshAt === Number.POSITIVE_INFINITY ? 'infinity' : new Date(freshAt).toISOString();
}

/**
 * Gives products a new version for a change of stock that changes no sum: rewrites their rows unchanged, whose `xmin` the version
 * has. Sent with the next statement.
 */
export function renewProductVersions({ tx, brandId }: StockLock, productIds: readonly number[]): void {
  tx.queue(
    statement<never>(
      'renew_product_versions',
      `update product_stock set total_quantity = total_quantity
       where brand_id = $1 and product_id = any($2::bigint[])`,
      [brandId, productIds],
    ),
  );
}

/**
 * Recomputes the rollups of products; also creates a row that damage has removed. Sent with the next statement. The view is
 * queried for one product after the other ("offset 0"), some 100 µs each: a plain join is quadratic without statistics.
 */
export function refreshProductStock({ tx, brandId }: StockLock, productIds: readonly number[]): void {
  tx.queue(
    statement<never>(
      'refresh_product_stock',
      `insert into product_stock as s (brand_id, product_id, ${rollup.list()})
       select $1, i.product_id, ${rollup.list('t')}
       from unnest($2::bigint[]) as i (product_id)
       cross join lateral (
         select ${rollup.list()} from product_stock_truth
         where brand_id = $1 and product_id = i.product_id
         offset 0
       ) as t
       on conflict (brand_id, product_id) do update
       set ${rollupColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [brandId, productIds],
    ),
  );
}
