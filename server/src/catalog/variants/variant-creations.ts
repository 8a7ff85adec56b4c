import type { Caller } from '../../api/scopes.ts';
import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import { findSkuHolders, insertSkuClaims } from '../skus/sku-claim-store.ts';
import type { VariantOfProduct } from './queries/variants-of-product.ts';
import { type CountedProduct, readNewVariantFacts } from './variant-facts-store.ts';
import { refreshVariantRollups } from './variant-rollup-store.ts';
import { type NewVariant, newVariant } from './variant-rules.ts';
import { type AddedVariant, insertVariants } from './variant-store.ts';

export interface VariantCreation extends NewVariant {
  readonly brandId: number;
  readonly caller: Caller;
  readonly productTuId: string;
}

/**
 * Opens creations of variants. Of those with one SKU, or one combination, exactly one succeeds.
 * @throws ApiError `decide`: `not_found`; see `newVariant`
 */
export async function openVariantCreations(
  tx: Transaction,
  creations: readonly VariantCreation[],
  options: Locking,
): Promise<OpenSet<VariantOfProduct>> {
  const [locks, facts, holders] = await Promise.all([
    lockCatalogs(tx, creations, options),
    readNewVariantFacts(tx, creations),
    findSkuHolders(tx, creations),
  ]);
  const created: CreatedVariant[] = [];
  return setOf(creations, locks, {
    decide: ({ caller, brandId, productTuId: _, ...given }, lock, position) => {
      const read = facts[position] ?? null;
      if (read === null) throw notFound();
      const { id, product, parent, selection, takenCombination } = read;
      const twin = created.find((other) => other.brandId === brandId && other.variant.sku === given.sku);
      const siblings = created.filter(({ productId }) => productId === product.id);
      const { variant, combination } = newVariant(given, {
        caller,
        id,
        tuId: given.tuId ?? newTuId(),
        selection,
        holder:
          holders[position] ??
          (twin === undefined ? null : { kind: 'variant', tuId: twin.variant.tuId, isDeleted: false }),
        isTaken: (wanted) =>
          wanted === takenCombination || siblings.some((sibling) => sibling.combination === wanted),
        lastPosition: siblings.at(-1)?.variant.position ?? read.lastPosition,
        stamp: () => lock.next(),
      });
      created.push({ brandId, product, productId: product.id, variant, combination });
      return { parent, variant };
    },
    write: () => writeNewVariants(tx, created, locks),
  });
}

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
  refreshVariantRollups(
    tx,
    created.map(({ brandId, productId, variant }) => ({ brandId, productId, stampedAt: variant.updatedAt })),
  );
  const products = new Map(created.map(({ product }) => [product.id, product]));
  noteCatalogChanges(
    tx,
    locks,
    [...products.values()].map(({ brandId, liveVariants, isActive }) => {
      const withVariants = Number(liveVariants === 0);
      return { brandId, withVariants, activeWithVariants: isActive ? withVariants : 0 };
    }),
  );
}
