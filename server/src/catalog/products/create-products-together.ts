import type { SharedResult } from '../../api/shared-handling.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { tryLockCatalogs } from '../brand-catalogs-store.ts';
import { insertProducts, type ProductToInsert } from '../product-records/insert-products-store.ts';
import { type NewProduct, type Product, withDefaults } from '../product-records/product.ts';

/** A product of any brand. */
export interface ProductOfBrand {
  readonly brandId: number;
  readonly given: NewProduct;
}

/**
 * Creates products of any brands in the given transaction, in two statements, as `createProduct` creates one. Waits for
 * no catalog lock. `alone`: the brand's catalog is locked or has no change yet, or the SKU is taken.
 */
export async function createProductsTogether(
  tx: Transaction,
  products: readonly ProductOfBrand[],
): Promise<SharedResult<Product>[]> {
  const brandIds = new Set(products.map(({ brandId }) => brandId));
  const writes = await tryLockCatalogs(tx, [...brandIds]);
  const nth = new Map<number, number>();
  const toInsert = products.map(({ brandId, given }): ProductToInsert | null => {
    const stamp = writes.stamps.get(brandId);
    if (stamp === undefined) return null;
    const n = nth.get(brandId) ?? 0;
    nth.set(brandId, n + 1);
    const stampedAt = new Date(stamp.firstAt + n);
    return { brandId, tuId: newTuId(), fields: withDefaults(given, stamp), stampedAt };
  });
  const inserted = await insertProducts(
    writes,
    toInsert.filter((product) => product !== null),
  );
  return toInsert.map((product) => (product && inserted.get(product.tuId)) ?? 'alone');
}
