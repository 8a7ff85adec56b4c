import type { SharedResult } from '../../api/shared-handling.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { insertProducts } from '../product-records/insert-products-store.ts';
import { type NewProduct, type Product, withOwnDefaults } from '../product-records/product.ts';

/** A product of any brand. */
export interface ProductOfBrand {
  /** The position of its request in the shared transaction. */
  readonly position: number;
  readonly brandId: number;
  readonly given: NewProduct;
}

/**
 * Creates products of any brands in the given transaction, in one statement, as `createProduct` creates one. Waits for
 * no catalog lock. `alone`: the brand's catalog is locked or has no change yet, or the SKU is taken.
 */
export async function createProductsTogether(
  tx: Transaction,
  products: readonly ProductOfBrand[],
): Promise<SharedResult<Product>[]> {
  const toInsert = products.map(({ position, brandId, given }) => {
    return { position, brandId, tuId: newTuId(), fields: withOwnDefaults(given) };
  });
  const inserted = await insertProducts(tx, toInsert);
  return toInsert.map(({ tuId }) => inserted.get(tuId) ?? 'alone');
}
