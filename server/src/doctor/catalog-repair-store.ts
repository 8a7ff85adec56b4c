import { type CatalogLock, lockCatalogs, noteCatalogChanges } from '../catalog/brand-catalog-store.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** A locked catalog that is repaired. */
export interface CatalogRepair {
  readonly tx: Transaction;
  readonly brandId: number;
  /** The `updated_at` of the repaired products. */
  readonly stampedAt: Date;
}

/**
 * Locks the brand's catalog, notes a change of it, and runs the repair. Inserts the catalog's row if damage has removed
 * it, so that its counters can be repaired.
 */
export async function repairCatalog(
  tx: Transaction,
  brandId: number,
  repair: (catalog: CatalogRepair) => Promise<void>,
): Promise<void> {
  tx.queue(
    statement<never>(
      'restore_brand_catalog',
      `insert into brand_catalogs (brand_id, version, changed_at) values ($1, 1, now_ms())
       on conflict (brand_id) do nothing`,
      [brandId],
    ),
  );
  const lock = (await lockCatalogs(tx, [brandId], { waits: true })).get(brandId) as CatalogLock;
  const stampedAt = lock.next();
  // Before the repair, which may raise the stamp.
  noteCatalogChanges(tx, [{ lock, by: {} }]);
  await repair({ tx, brandId, stampedAt });
}
