import type { OpenSet } from '../../api/set-handling.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockCatalogs, noteCatalogChanges } from '../old-locks-store.ts';
import type { AxisSelection } from './axis-selection.ts';
import { readSelectionFacts, replaceSelection } from './axis-selection-store.ts';
import { changedSelection, type WantedAxis } from './choose-axes.ts';
import { findLibraryAxes } from './queries/find-library-axes.ts';

/** Each is a set alone. */
export interface SelectionChange {
  readonly brandId: number;
  readonly productTuId: string;
  readonly wanted: readonly WantedAxis[];
}

/**
 * Opens the replacement of a product's selection. A different one moves the product's `updated_at` [catalog-25]. Under the
 * catalog lock, no variant is created, and nothing of the library deleted, before the commit.
 * @throws ApiError `decide`: `not_found`; see `changedSelection`
 */
export async function openSelectionChange(
  tx: Transaction,
  change: SelectionChange,
  options: Locking,
): Promise<OpenSet<AxisSelection>> {
  const { brandId, wanted } = change;
  const [locks, facts, axisLibrary] = await Promise.all([
    lockCatalogs(tx, [change], options),
    readSelectionFacts(tx, change),
    findLibraryAxes(tx, brandId, wanted),
  ]);
  let write = () => {};
  return setOf([change], locks, {
    decide: (_, lock) => {
      if (facts === null) throw notFound();
      const { productId, current } = facts;
      const selection = changedSelection(wanted, { ...facts, axisLibrary });
      if (selection === current) return current;
      const stampedAt = lock.next();
      write = () => {
        replaceSelection(tx, { brandId, productId, stampedAt }, selection);
        noteCatalogChanges(tx, locks, [change]);
      };
      return selection;
    },
    write: () => write(),
  });
}
