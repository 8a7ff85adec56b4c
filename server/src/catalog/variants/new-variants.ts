import type { Transaction } from '../../postgres/transaction.ts';
import { type CatalogLock, noteCatalogChanges } from '../brand-catalog-store.ts';
import { insertSkuClaims } from '../skus/sku-claim-store.ts';
import type { CountedProduct } from './variant-facts-store.ts';
import { refreshVariantRollups } from './variant-rollup-store.ts';
import { type AddedVariant, insertVariants } from './variant-store.ts';

/** A new variant, with its product as it was before. */
export interface CreatedVariant extends AddedVariant {
  readonly product: CountedProduct;
}

/** Writes new variants of brands whose catalogs are locked, and what their products and brands store about them. */
export function writeNewVariants(
  tx: Transaction,
  created: readonly CreatedVariant[],
  locks: ReadonlyMap<number, CatalogLock>,
): void {
  insertSkuClaims(
    tx,
    'variant',
    created.map(({ brandId, variant: { sku, tuId } }) => ({ brandId, sku, tuId })),
  );
  insertVariants(tx, created);
  noteCreated(tx, created, locks);
}

/** Writes what products and brands store about their variants. */
function noteCreated(
  tx: Transaction,
  created: readonly CreatedVariant[],
  locks: ReadonlyMap<number, CatalogLock>,
): void {
  const byProduct = [...Map.groupBy(created, ({ productId }) => productId).values()];
  refreshVariantRollups(
    tx,
    byProduct.map((ofProduct) => {
      const { brandId, productId, variant } = ofProduct.at(-1) as CreatedVariant;
      return { brandId, productId, stampedAt: variant.updatedAt };
    }),
  );
  const products = byProduct.map(([first]) => (first as CreatedVariant).product);
  noteCatalogChanges(
    tx,
    [...Map.groupBy(products, ({ brandId }) => brandId)].map(([brandId, ofBrand]) => {
      const first = ofBrand.filter(({ liveVariants }) => liveVariants === 0);
      const activeWithVariants = first.filter(({ isActive }) => isActive).length;
      const by = { withVariants: first.length, activeWithVariants };
      return { lock: locks.get(brandId) as CatalogLock, by };
    }),
  );
}
