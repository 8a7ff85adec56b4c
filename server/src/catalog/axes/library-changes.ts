import type { OpenSet } from '../../api/set-handling.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { lockCatalogs, noteAxesChanges } from '../brand-catalog-store.ts';
import { type Locking, setOf } from '../brand-set.ts';
import type { AxisFields } from './axis.ts';
import { changedEntry, deletableEntry } from './axis-rules.ts';
import {
  type AxisName,
  deleteAxes,
  type EntryId,
  type EntryUse,
  findAxes,
  readAxisUses,
  updateAxes,
} from './axis-store.ts';
import {
  type AxisValueName,
  deleteAxisValues,
  findAxisValues,
  readValueUses,
  updateAxisValues,
} from './axis-value-store.ts';

// Changes and deletions in one transaction, of any brands, decided in order of arrival under the brands' catalog locks.
// Products show labels, so the axes version of the brand changes.

interface Changing {
  readonly changes: Partial<AxisFields>;
}

/** Opens changes of axes. @throws ApiError `decide`: see `changedEntry` */
export const openAxisChanges = (tx: Transaction, given: readonly (AxisName & Changing)[], options: Locking) =>
  openChanges(tx, given, { ...options, find: findAxes, update: updateAxes });

/** Opens changes of values. @throws ApiError `decide`: see `changedEntry` */
export const openValueChanges = (
  tx: Transaction,
  given: readonly (AxisValueName & Changing)[],
  options: Locking,
) => openChanges(tx, given, { ...options, find: findAxisValues, update: updateAxisValues });

/** Opens deletions of axes with their values. @throws ApiError `decide`: see `deletableEntry` */
export const openAxisDeletions = (tx: Transaction, given: readonly AxisName[], options: Locking) =>
  openDeletions(tx, given, { ...options, find: readAxisUses, remove: deleteAxes, inUse: 'axis_in_use' });

/** Opens deletions of values. @throws ApiError `decide`: see `deletableEntry` */
export const openValueDeletions = (tx: Transaction, given: readonly AxisValueName[], options: Locking) =>
  openDeletions(tx, given, {
    ...options,
    find: readValueUses,
    remove: deleteAxisValues,
    inUse: 'value_in_use' as const,
  });

interface ChangeStores<Given, T> extends Locking {
  readonly find: (tx: Transaction, given: readonly Given[]) => Promise<(T | null)[]>;
  readonly update: (tx: Transaction, changed: readonly T[]) => void;
}

async function openChanges<
  Given extends AxisName & Changing,
  T extends EntryId & AxisFields & { readonly updatedAt: Date },
>(
  tx: Transaction,
  given: readonly Given[],
  { waits, find, update }: ChangeStores<Given, T>,
): Promise<OpenSet<T>> {
  const [locks, stored] = await Promise.all([lockCatalogs(tx, given, { waits }), find(tx, given)]);
  const changed = new Map<number, T>();
  return setOf(given, locks, {
    decide: ({ changes }, { now }, position) => {
      const read = stored[position] ?? null;
      const present = read === null ? null : (changed.get(read.id) ?? read);
      const entry = changedEntry(present, changes, now);
      if (entry !== present) changed.set(entry.id, entry);
      return entry;
    },
    write: () => {
      update(tx, [...changed.values()]);
      noteAxesChanges(tx, locks, [...changed.values()]);
    },
  });
}

interface DeletionStores<Given, T> extends Locking {
  readonly find: (tx: Transaction, given: readonly Given[]) => Promise<(T | null)[]>;
  readonly remove: (tx: Transaction, deleted: readonly T[]) => void;
  readonly inUse: 'axis_in_use' | 'value_in_use';
}

async function openDeletions<Given extends AxisName, T extends EntryUse>(
  tx: Transaction,
  given: readonly Given[],
  { waits, find, remove, inUse }: DeletionStores<Given, T>,
): Promise<OpenSet<void>> {
  const [locks, stored] = await Promise.all([lockCatalogs(tx, given, { waits }), find(tx, given)]);
  const deleted = new Map<number, T>();
  return setOf(given, locks, {
    decide: (_, lock, position) => {
      const read = stored[position] ?? null;
      const entry = deletableEntry(read !== null && deleted.has(read.id) ? null : read, inUse);
      lock.next();
      deleted.set(entry.id, entry);
    },
    write: () => {
      remove(tx, [...deleted.values()]);
      noteAxesChanges(tx, locks, [...deleted.values()]);
    },
  });
}
