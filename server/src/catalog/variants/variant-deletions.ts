import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import { lockStock, noteStockChange } from '../stock/brand-stock-store.ts';
import { refreshProductStock } from '../stock/product-stock-store.ts';
import { hideVariantLevels } from '../stock/stock-level-store.ts';
import { findVariants, type VariantFacts } from './variant-facts-store.ts';
import { refreshVariantRollups } from './variant-rollup-store.ts';
import { softDeleteVariant } from './variant-store.ts';

/** Each is a set alone, since it also locks the brand's stock. */
export interface VariantDeletion {
  readonly brandId: number;
  readonly tuId: string;
}

/**
 * Opens a soft deletion: the variant is in no list and no total, its combination and values are free, its SKU stays taken
 * [catalog-57].
 * @throws ApiError `decide`: `not_found`, also for a variant that is already deleted
 */
export async function openVariantDeletion(
  tx: Transaction,
  deletion: VariantDeletion,
  options: Locking,
): Promise<OpenSet<void>> {
  const [locks, [facts = null]] = await Promise.all([
    lockCatalogs(tx, [deletion], options),
    findVariants(tx, [deletion]),
  ]);
  let write = async () => {};
  return setOf([deletion], locks, {
    decide: (_, lock) => {
      if (facts === null) throw notFound();
      const deletedAt = lock.next();
      write = async () => {
        await writeDeletion(tx, facts, deletedAt);
        const { brandId, liveVariants, isActive } = facts.product;
        const withVariants = liveVariants === 1 ? -1 : 0;
        noteCatalogChanges(tx, locks, [
          { brandId, withVariants, activeWithVariants: isActive ? withVariants : 0 },
        ]);
      };
    },
    write: () => write(),
  });
}

async function writeDeletion(
  tx: Transaction,
  { product, variant }: VariantFacts,
  deletedAt: Date,
): Promise<void> {
  const { brandId, id: productId } = product;
  const stock = await lockStock(tx, brandId);
  softDeleteVariant(tx, { brandId, id: variant.id, deletedAt });
  const hidden = await hideVariantLevels(stock, variant.id);
  refreshProductStock(stock, [productId]);
  noteStockChange(stock, hidden);
  refreshVariantRollups(tx, [{ brandId, productId, stampedAt: deletedAt }]);
}
