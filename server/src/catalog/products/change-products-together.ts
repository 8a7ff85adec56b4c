import { isReply, mapReplies, type SharedResult } from '../../api/shared-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import {
  type LockedProduct,
  lockProductsToChange,
  type ProductChange,
  updateProducts,
} from '../product-records/change-products-store.ts';
import { changesNothing, type Product, type ProductFields } from '../product-records/product.ts';
import type { ProductDetailView } from './product-detail.ts';
import { fewVariants, findProductDetails } from './queries/get-product-detail.ts';

/** A change of a product of any brand. */
export interface ChangeOfBrand {
  /** The position of its request in the shared transaction. */
  readonly position: number;
  readonly brandId: number;
  readonly tuId: string;
  readonly changes: Partial<ProductFields>;
}

/**
 * Changes products of any brands in the given transaction, in three statements, each as `changeProduct` changes one, and
 * returns their details. Waits for no catalog lock. `alone`: the brand's catalog is locked or was changed meanwhile, an
 * earlier change of the list concerns the same product, the SKU changes, or the product has too many variants for a short
 * statement.
 */
export async function changeProductsTogether(
  tx: Transaction,
  changes: readonly ChangeOfBrand[],
): Promise<SharedResult<ProductDetailView>[]> {
  const locked = await lockProductsToChange(tx, changes);
  const taken = new Set<number>();
  const decided = changes.map(({ position, changes: given }) => decide(locked.get(position), given, taken));
  const accepted = decided.filter(isReply);
  // Sent in one write; the details are read after the update.
  const [, details] = await Promise.all([
    updateProducts(
      tx,
      accepted.filter(({ product, fields }) => !changesNothing(product, fields)),
    ),
    findProductDetails(
      tx,
      accepted.map(({ product }) => product),
    ),
  ]);
  const detailOf = new Map(accepted.map((change, n) => [change, details[n] as ProductDetailView]));
  return mapReplies(decided, (change) => detailOf.get(change) as ProductDetailView);
}

/** Decides one change; `taken` has the ids of the products of the earlier ones. */
function decide(
  locked: LockedProduct | null | undefined,
  changes: Partial<ProductFields>,
  taken: Set<number>,
): SharedResult<ProductChange> {
  if (locked === undefined) return 'alone';
  if (locked === null) return notFound();
  const { product, liveVariants } = locked;
  const isFirst = !taken.has(product.id);
  // Also by a change that is run alone: that happens later, and the others of its product must come after it.
  taken.add(product.id);
  const isRenamed = changes.sku !== undefined && changes.sku !== product.sku;
  if (!isFirst || isRenamed || liveVariants > fewVariants) return 'alone';
  return { product, fields: { ...fieldsOf(product), ...changes } };
}

function fieldsOf(product: Product): ProductFields {
  const {
    brandId: _brand,
    id: _id,
    tuId: _tuId,
    hasVariants: _has,
    createdAt: _c,
    updatedAt: _u,
    ...fields
  } = product;
  return fields;
}
