import type { Caller } from '../../api/scopes.ts';
import { notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { beginCatalogChange, moveProductCounters } from '../brand-catalog-store.ts';
import {
  changesNothing,
  type NewProduct,
  type Product,
  type ProductFields,
  withDefaults,
} from '../product-records/product.ts';
import { insertProduct, lockProduct, updateProduct } from '../product-records/product-store.ts';
import { claimSkuFor, refuseTakenSku } from '../skus/claim-sku-for.ts';
import { releaseSku } from '../skus/sku-claim-store.ts';
import { lockProductStock, touchProductStock } from '../stock/product-stock-store.ts';
import { renameStockLevels } from '../stock/stock-level-store.ts';

/**
 * Creates a product in the caller's brand, in the given transaction. Concurrent creations with one SKU: exactly one
 * succeeds.
 * @throws ApiError `duplicate_sku`
 */
export async function createProduct(
  tx: CatalogTransaction,
  caller: Caller,
  given: NewProduct,
  tuId: string = newTuId(),
): Promise<Product> {
  const write = await beginCatalogChange(tx);
  const fields = withDefaults(given, write);
  const product = await insertProduct(write, tuId, fields);
  if (product === null) return refuseTakenSku(write, caller, fields.sku);
  moveProductCounters(write, { total: 1, active: fields.isActive ? 1 : 0 });
  return product;
}

/**
 * Writes the given fields of a product and leaves the others. Writing the current values changes nothing, not even
 * `updated_at`. A rename frees the old SKU.
 * @throws ApiError `not_found`, `duplicate_sku`
 */
export async function changeProduct(
  tx: CatalogTransaction,
  caller: Caller,
  tuId: string,
  changes: Partial<ProductFields>,
): Promise<void> {
  const write = await beginCatalogChange(tx);
  const product = await lockProduct(write, tuId);
  if (product === null) throw notFound();
  if (changesNothing(product, changes)) return;

  const fields: ProductFields = { ...product, ...changes };
  const isRenamed = fields.sku !== product.sku;
  if (isRenamed) await claimSkuFor(write, caller, fields.sku, { kind: 'product', tuId });
  const stock = isRenamed ? await lockProductStock(tx, write.brandId, [product.id]) : null;
  const changed = await updateProduct(write, product, fields);
  if (stock !== null) {
    releaseSku(write, product.sku);
    renameStockLevels(stock, null, fields.sku);
    await touchProductStock(stock);
  }
  const activeBy = Number(changed.isActive) - Number(product.isActive);
  if (activeBy !== 0)
    moveProductCounters(write, {
      active: activeBy,
      activeWithVariants: product.hasVariants ? activeBy : 0,
    });
}
