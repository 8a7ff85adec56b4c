import type { Caller } from '../../api/scopes.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type CatalogLock, lockCatalogs, noteCatalogChanges } from '../brand-catalog-store.ts';
import { changedProduct, type Product, type ProductFields } from '../product-records/product.ts';
import { updateProducts } from '../product-records/product-store.ts';
import { findSkuHolders, insertSkuClaims, releaseSku, type SkuHolder } from '../skus/sku-claim-store.ts';
import { takenSku } from '../skus/taken-sku.ts';
import { renameProductStock } from '../stock/rename-product-stock.ts';
import type { ProductDetailView } from './product-detail.ts';
import { findProductDetails } from './queries/get-product-detail.ts';

/** A change of a product of its caller's brand. A change that names a SKU is a set alone. */
export interface ProductChange {
  readonly caller: Caller;
  readonly tuId: string;
  /** The SKU that the change names. */
  readonly sku: string | undefined;
  /** Returns the fields; called when the change is decided, and may refuse it. */
  readonly fields: () => Partial<ProductFields>;
}

interface Facts {
  readonly locks: ReadonlyMap<number, CatalogLock>;
  readonly details: readonly (ProductDetailView | null)[];
  /** The holders of the SKUs that changes name, by position. */
  readonly holders: ReadonlyMap<number, SkuHolder | null>;
}

/** Changes of products of any brands in one transaction, decided in order of arrival under the brands' catalog locks. */
export class ProductChanges {
  readonly #tx: Transaction;
  readonly #given: readonly ProductChange[];
  readonly #facts: Facts;
  /** The products that differ from the stored ones, by id, with the stored ones. */
  readonly #changed = new Map<number, { readonly stored: Product; readonly product: Product }>();

  private constructor(tx: Transaction, given: readonly ProductChange[], facts: Facts) {
    this.#tx = tx;
    this.#given = given;
    this.#facts = facts;
  }

  /** Locks the brands and reads the products, in one round trip. `waits` false: skips brands that are locked. */
  static async open(
    tx: Transaction,
    given: readonly ProductChange[],
    options: { readonly waits: boolean },
  ): Promise<ProductChanges> {
    const renames = given.flatMap(({ caller: { brandId }, sku }, position) =>
      sku === undefined ? [] : [{ position, brandId, sku }],
    );
    const [locks, details, holders] = await Promise.all([
      lockCatalogs(
        tx,
        given.map(({ caller }) => caller.brandId),
        options,
      ),
      findProductDetails(
        tx,
        given.map(({ caller: { brandId }, tuId }) => ({ brandId, tuId })),
      ),
      findSkuHolders(tx, renames),
    ]);
    const byPosition = new Map(renames.map(({ position }, n) => [position, holders[n] ?? null]));
    return new ProductChanges(tx, given, { locks, details, holders: byPosition });
  }

  isLocked(position: number): boolean {
    return this.#facts.locks.has((this.#given[position] as ProductChange).caller.brandId);
  }

  /**
   * Decides one change and returns the product's detail after it. A rename frees the old SKU.
   * @throws ApiError what `fields` throws, `not_found`, `duplicate_sku`
   */
  decide(position: number): ProductDetailView {
    const { caller, fields } = this.#given[position] as ProductChange;
    const changes = fields();
    const detail = this.#facts.details[position] ?? null;
    if (detail === null) throw notFound();
    const lock = this.#facts.locks.get(caller.brandId) as CatalogLock;
    const { stored, product: present } = this.#changed.get(detail.product.id) ?? {
      stored: detail.product,
      product: detail.product,
    };
    const holder = this.#facts.holders.get(position) ?? null;
    if (holder !== null && changes.sku !== present.sku) throw takenSku(caller, holder);
    const product = changedProduct(present, changes, () => lock.next());
    if (product !== present) this.#changed.set(product.id, { stored, product });
    return { ...detail, product };
  }

  /** Queues the statements that write the products; a rename waits for the brand's stock lock first. */
  async write(): Promise<void> {
    const changed = [...this.#changed.values()];
    const renamed = changed.filter(({ stored, product }) => product.sku !== stored.sku);
    // The stock lock before the new SKU, which locks the product's row against new levels.
    for (const { product } of renamed) await renameProductStock(this.#tx, product);
    insertSkuClaims(
      this.#tx,
      'product',
      renamed.map(({ product }) => product),
    );
    updateProducts(
      this.#tx,
      changed.map(({ product }) => product),
    );
    for (const { stored } of renamed) releaseSku({ tx: this.#tx, brandId: stored.brandId }, stored.sku);
    const byBrand = Map.groupBy(changed, ({ product }) => product.brandId);
    noteCatalogChanges(
      this.#tx,
      [...byBrand].map(([brandId, ofBrand]) => ({
        lock: this.#facts.locks.get(brandId) as CatalogLock,
        by: {
          active: sumOf(ofBrand, activeBy),
          activeWithVariants: sumOf(ofBrand, (change) => (change.product.hasVariants ? activeBy(change) : 0)),
        },
      })),
    );
  }
}

interface Changed {
  readonly stored: Product;
  readonly product: Product;
}

function activeBy({ stored, product }: Changed): number {
  return Number(product.isActive) - Number(stored.isActive);
}

function sumOf(changed: readonly Changed[], amount: (change: Changed) => number): number {
  return changed.reduce((sum, change) => sum + amount(change), 0);
}
