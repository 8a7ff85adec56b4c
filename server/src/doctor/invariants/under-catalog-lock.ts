import { lockCatalog, writeCatalogChange } from '../../catalog/brand-catalog-store.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import type { Rewrite } from './invariant.ts';

/** The rows that are repaired, by their keys, in a brand that is locked. */
export interface Repaired {
  readonly brandId: number;
  readonly keys: readonly string[];
  /** The `updated_at` of the repaired products. */
  readonly stampedAt: Date;
}

/** A repair under the lock of the brand's catalog, which notes a change. Restores the catalog's row if it is missing. */
export function underCatalogLock(statementsOf: (repaired: Repaired) => readonly Statement<never>[]): Rewrite {
  return async (tx, brandId, keys) => {
    tx.queue(
      statement<never>(
        'restore_brand_catalog',
        `insert into brand_catalogs (brand_id, version, changed_at) values ($1, 1, now_ms())
         on conflict (brand_id) do nothing`,
        [brandId],
      ),
    );
    const catalog = await lockCatalog(tx, brandId);
    const stampedAt = catalog.next();
    // Before the repair, which may raise the stamp.
    writeCatalogChange(catalog);
    for (const each of statementsOf({ brandId, keys, stampedAt })) await tx.run(each);
  };
}
