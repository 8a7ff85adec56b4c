import type { Caller } from '../../api/scopes.ts';
import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import { findSkuHolders, insertSkuClaims, releaseSku } from '../skus/sku-claim-store.ts';
import { lockStock, noteStockChange, type StockLock } from '../stock/brand-stock-store.ts';
import { refreshProductStock, touchProductStock } from '../stock/product-stock-store.ts';
import { renameStockLevels } from '../stock/stock-level-store.ts';
import type { VariantOfProduct } from './queries/variants-of-product.ts';
import type { VariantFields, VariantView } from './variant.ts';
import { findVariants, type VariantFacts } from './variant-facts-store.ts';
import { refreshVariantRollups } from './variant-rollup-store.ts';
import { changedVariant } from './variant-rules.ts';
import { updateVariants } from './variant-store.ts';

/** One that names the SKU or `isActive` is a set alone. */
export interface VariantChange {
  readonly brandId: number;
  readonly caller: Caller;
  readonly tuId: string;
  readonly changes: Partial<VariantFields>;
}

interface Changed extends VariantFacts {
  readonly stored: VariantView;
}

/**
 * Opens changes of variants. Those of the SKU or of `is_active` also lock the brand's stock.
 * @throws ApiError `decide`: `not_found`; see `changedVariant`
 */
export async function openVariantChanges(
  tx: Transaction,
  given: readonly VariantChange[],
  options: Locking,
): Promise<OpenSet<VariantOfProduct>> {
  const [locks, found, holders] = await Promise.all([
    lockCatalogs(tx, given, options),
    findVariants(tx, given),
    findSkuHolders(
      tx,
      given.map(({ brandId, changes }) => ({ brandId, sku: changes.sku })),
    ),
  ]);
  const changed = new Map<number, Changed>();
  return setOf(given, locks, {
    decide: ({ caller, changes }, lock, position) => {
      const facts = found[position] ?? null;
      if (facts === null) throw notFound();
      const present = changed.get(facts.variant.id)?.variant ?? facts.variant;
      const holder = holders[position] ?? null;
      const variant = changedVariant(present, changes, { caller, holder, stamp: () => lock.next() });
      if (variant !== present) changed.set(variant.id, { ...facts, stored: facts.variant, variant });
      return { parent: facts.parent, variant };
    },
    write: async () => {
      const all = [...changed.values()];
      const renamed = all.filter(isRenamed);
      // At most one: such a change is a set alone.
      const withStock = all.filter((each) => isRenamed(each) || isSwitched(each));
      const stocks = new Map<number, StockLock>();
      for (const { product } of withStock) stocks.set(product.id, await lockStock(tx, product.brandId));
      insertSkuClaims(
        tx,
        'variant',
        renamed.map(({ product: { brandId }, variant: { sku, tuId } }) => ({ brandId, sku, tuId })),
      );
      updateVariants(
        tx,
        all.map(({ product: { brandId }, variant }) => ({ brandId, variant })),
      );
      for (const { product, stored } of renamed) releaseSku({ tx, brandId: product.brandId }, stored.sku);
      for (const each of withStock) await changeStock(stocks.get(each.product.id) as StockLock, each);
      refreshVariantRollups(
        tx,
        all.map(({ product: { brandId, id }, variant }) => {
          return { brandId, productId: id, stampedAt: variant.updatedAt };
        }),
      );
      noteCatalogChanges(
        tx,
        locks,
        all.map(({ product: { brandId } }) => ({ brandId })),
      );
    },
  });
}

const isRenamed = ({ stored, variant }: Changed) => stored.sku !== variant.sku;
const isSwitched = ({ stored, variant }: Changed) => stored.isActive !== variant.isActive;

/** Follows the written variant in its levels and in the stock of its product. */
async function changeStock(stock: StockLock, change: Changed): Promise<void> {
  const { product, variant } = change;
  const renamed = isRenamed(change)
    ? await renameStockLevels(stock, { productId: product.id, variantId: variant.id, sku: variant.sku })
    : [];
  if (isSwitched(change)) refreshProductStock(stock, [product.id]);
  else touchProductStock(stock, [product.id]);
  noteStockChange(stock, renamed);
}
