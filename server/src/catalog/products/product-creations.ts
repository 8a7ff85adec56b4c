import type { Caller } from '../../api/scopes.ts';
import type { OpenSet } from '../../api/set-handling.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { drawIds } from '../draw-ids-store.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import { newProductFields, type Product, type ProductFields } from '../product-records/product.ts';
import { insertProducts } from '../product-records/product-store.ts';
import { findSkuHolders, insertSkuClaims, type SkuHolder, takenSku } from '../skus/sku-claim-store.ts';

export interface ProductCreation {
  readonly brandId: number;
  readonly caller: Caller;
  readonly sku: string;
  /** Returns the fields; called when the creation is decided, and may refuse it. */
  readonly fields: () => Partial<ProductFields>;
  /** Default: a new id. */
  readonly tuId?: string;
}

/**
 * Opens creations of products. Of those with one SKU exactly one succeeds [catalog-19].
 * @throws ApiError `decide`: `duplicate_sku`, or what `fields` throws
 */
export async function openProductCreations(
  tx: Transaction,
  creations: readonly ProductCreation[],
  options: Locking,
): Promise<OpenSet<Product>> {
  const [locks, ids, holders] = await Promise.all([
    lockCatalogs(tx, creations, options),
    drawIds(tx, 'product', creations.length),
    findSkuHolders(tx, creations),
  ]);
  const created = new Map<string, Product>();
  return setOf(creations, locks, {
    decide: ({ brandId, caller, sku, fields, tuId = newTuId() }, lock, position) => {
      const given = { ...fields(), sku };
      const name = `${brandId} ${sku}`;
      const holder = holders[position] ?? holderOf(created.get(name));
      if (holder !== null) throw takenSku(caller, holder);
      const stampedAt = lock.next();
      const product: Product = {
        brandId,
        id: ids[position] as number,
        tuId,
        ...newProductFields(given, lock),
        hasVariants: false,
        createdAt: stampedAt,
        updatedAt: stampedAt,
      };
      created.set(name, product);
      return product;
    },
    write: () => {
      const products = [...created.values()];
      insertSkuClaims(tx, 'product', products);
      insertProducts(tx, products);
      noteCatalogChanges(
        tx,
        locks,
        products.map(({ brandId, isActive }) => ({ brandId, total: 1, active: Number(isActive) })),
      );
    },
  });
}

function holderOf(product: Product | undefined): SkuHolder | null {
  return product === undefined ? null : { kind: 'product', tuId: product.tuId, isDeleted: false };
}
