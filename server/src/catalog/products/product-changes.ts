import type { Caller } from '../../api/scopes.ts';
import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import { changedProduct, type Product, type ProductFields } from '../product-records/product.ts';
import { updateProducts } from '../product-records/product-store.ts';
import { findSkuHolders, insertSkuClaims, releaseSku, takenSku } from '../skus/sku-claim-store.ts';
import { lockStock, noteStockChange } from '../stock/brand-stock-store.ts';
import { touchProductStock } from '../stock/product-stock-store.ts';
import { renameStockLevels } from '../stock/stock-level-store.ts';
import type { ProductDetailView } from './product-detail.ts';
import { findProductDetails } from './queries/get-product-detail.ts';

/** A change that names a SKU is a set alone. */
export interface ProductChange {
  readonly brandId: number;
  readonly caller: Caller;
  readonly tuId: string;
  readonly sku: string | undefined;
  /** Returns the fields; called when the change is decided, and may refuse it. */
  readonly fields: () => Partial<ProductFields>;
}

/**
 * Opens changes of products, whose results are the products' details. A rename frees the old SKU.
 * @throws ApiError `decide`: what `fields` throws, `not_found`, `duplicate_sku`
 */
export async function openProductChanges(
  tx: Transaction,
  given: readonly ProductChange[],
  options: Locking,
): Promise<OpenSet<ProductDetailView>> {
  const [locks, details, holders] = await Promise.all([
    lockCatalogs(tx, given, options),
    findProductDetails(tx, given),
    findSkuHolders(tx, given),
  ]);
  /** The products that differ from the stored ones, by id. */
  const changed = new Map<number, Changed>();
  return setOf(given, locks, {
    decide: ({ caller, fields }, lock, position) => {
      const changes = fields();
      const detail = details[position] ?? null;
      if (detail === null) throw notFound();
      const { product: stored } = detail;
      const present = changed.get(stored.id)?.product ?? stored;
      const holder = holders[position] ?? null;
      if (holder !== null && changes.sku !== present.sku) throw takenSku(caller, holder);
      const product = changedProduct(present, changes, () => lock.next());
      if (product !== present) changed.set(product.id, { stored, product });
      return { ...detail, product };
    },
    write: async () => {
      const all = [...changed.values()];
      const renamed = all.filter(({ stored, product }) => product.sku !== stored.sku);
      // The stock lock before the new SKU, which locks the product's row against new levels.
      for (const { product } of renamed) await renameProductStock(tx, product);
      insertSkuClaims(
        tx,
        'product',
        renamed.map(({ product }) => product),
      );
      updateProducts(
        tx,
        all.map(({ product }) => product),
      );
      for (const { stored } of renamed) releaseSku({ tx, brandId: stored.brandId }, stored.sku);
      noteCatalogChanges(
        tx,
        locks,
        all.map(({ stored, product: { brandId, isActive, hasVariants } }) => {
          const active = Number(isActive) - Number(stored.isActive);
          return { brandId, active, activeWithVariants: hasVariants ? active : 0 };
        }),
      );
    },
  });
}

interface Changed {
  readonly stored: Product;
  readonly product: Product;
}

/** Writes a product's new SKU to its own levels. Locks the brand's stock, before the caller writes the SKU itself. */
async function renameProductStock(tx: Transaction, { brandId, id, sku }: Product): Promise<void> {
  const stock = await lockStock(tx, brandId);
  const levelIds = await renameStockLevels(stock, { productId: id, variantId: null, sku });
  touchProductStock(stock, [id]);
  noteStockChange(stock, levelIds);
}
