import type { Caller } from '../../api/scopes.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type CatalogLock, lockCatalogs, noteCatalogChanges } from '../brand-catalog-store.ts';
import { newProductFields, type Product, type ProductFields } from '../product-records/product.ts';
import { drawProductIds, insertProducts } from '../product-records/product-store.ts';
import { findSkuHolders, insertSkuClaims, type SkuHolder } from '../skus/sku-claim-store.ts';
import { takenSku } from '../skus/taken-sku.ts';

/** A product to create in the brand of its caller. */
export interface ProductCreation {
  readonly caller: Caller;
  readonly sku: string;
  /** Returns the fields; called when the creation is decided, and may refuse it. */
  readonly fields: () => Partial<ProductFields>;
  /** Default: a new id. */
  readonly tuId?: string;
}

interface Facts {
  readonly locks: ReadonlyMap<number, CatalogLock>;
  readonly ids: readonly number[];
  readonly holders: readonly (SkuHolder | null)[];
}

/** Creations of products of any brands in one transaction, decided in order of arrival under the brands' catalog locks. */
export class ProductCreations {
  readonly #tx: Transaction;
  readonly #creations: readonly ProductCreation[];
  readonly #facts: Facts;
  readonly #created = new Map<string, Product>();

  private constructor(tx: Transaction, creations: readonly ProductCreation[], facts: Facts) {
    this.#tx = tx;
    this.#creations = creations;
    this.#facts = facts;
  }

  /** Locks the brands and reads the holders of the SKUs, in one round trip. `waits` false: skips brands that are locked. */
  static async open(
    tx: Transaction,
    creations: readonly ProductCreation[],
    options: { readonly waits: boolean },
  ): Promise<ProductCreations> {
    const skus = creations.map(({ caller, sku }) => ({ brandId: caller.brandId, sku }));
    const [locks, ids, holders] = await Promise.all([
      lockCatalogs(
        tx,
        skus.map(({ brandId }) => brandId),
        options,
      ),
      drawProductIds(tx, creations.length),
      findSkuHolders(tx, skus),
    ]);
    return new ProductCreations(tx, creations, { locks, ids, holders });
  }

  isLocked(position: number): boolean {
    return this.#facts.locks.has((this.#creations[position] as ProductCreation).caller.brandId);
  }

  /**
   * Decides one creation. Of creations with one SKU exactly one succeeds [catalog-19].
   * @throws ApiError `duplicate_sku`, or what `fields` throws
   */
  decide(position: number): Product {
    const { caller, sku, fields, tuId = newTuId() } = this.#creations[position] as ProductCreation;
    const { brandId } = caller;
    const given = { ...fields(), sku };
    const lock = this.#facts.locks.get(brandId) as CatalogLock;
    const holder = this.#facts.holders[position] ?? this.#holderInSet(brandId, sku);
    if (holder !== null) throw takenSku(caller, holder);
    const stampedAt = lock.next();
    const product: Product = {
      ...{ brandId, id: this.#facts.ids[position] as number, tuId },
      ...newProductFields(given, lock),
      ...{ hasVariants: false, createdAt: stampedAt, updatedAt: stampedAt },
    };
    this.#created.set(`${brandId} ${sku}`, product);
    return product;
  }

  /** Queues the statements that write the products; sent with the commit. */
  write(): void {
    const products = [...this.#created.values()];
    insertSkuClaims(this.#tx, 'product', products);
    insertProducts(this.#tx, products);
    const byBrand = Map.groupBy(products, ({ brandId }) => brandId);
    noteCatalogChanges(
      this.#tx,
      [...byBrand].map(([brandId, ofBrand]) => ({
        lock: this.#facts.locks.get(brandId) as CatalogLock,
        by: { total: ofBrand.length, active: ofBrand.filter(({ isActive }) => isActive).length },
      })),
    );
  }

  #holderInSet(brandId: number, sku: string): SkuHolder | null {
    const product = this.#created.get(`${brandId} ${sku}`);
    return product === undefined ? null : { kind: 'product', tuId: product.tuId, isDeleted: false };
  }
}

/**
 * Creates a product in the given transaction, as a set of one; waits for the brand's catalog lock.
 * @throws ApiError `duplicate_sku`
 */
export async function createProduct(tx: Transaction, creation: ProductCreation): Promise<Product> {
  const set = await ProductCreations.open(tx, [creation], { waits: true });
  const product = set.decide(0);
  set.write();
  return product;
}
