import type { Database } from '../../postgres/database.ts';
import type { PendingRefusal } from './refusal.ts';
import { addRefusals, type BrandRefusal, findKeyOwners, lockRefusals } from './refusal-store.ts';

/** Rows that a second may add [D250]. */
const mostRows = 50;

export interface FoundRefusal extends BrandRefusal {
  /** The row of the key; null: it is deleted. */
  readonly rowId: number | null;
}

/** Writes refusals of known keys, and of those of `ownerless` whose keys exist or are deleted, and returns the latter. */
export async function writeRefusals(
  database: Database,
  known: readonly BrandRefusal[],
  ownerless: readonly PendingRefusal[],
): Promise<FoundRefusal[]> {
  const found = (await findOwned(database, ownerless)).slice(0, Math.max(0, mostRows - known.length));
  if (known.length + found.length > 0)
    await database.transaction(async (tx) => {
      await lockRefusals(tx);
      // Two statements, since a key may have a row of one minute in both.
      for (const refusals of [known, found]) if (refusals.length > 0) await addRefusals(tx, refusals);
    });
  return found;
}

async function findOwned(database: Database, ownerless: readonly PendingRefusal[]): Promise<FoundRefusal[]> {
  if (ownerless.length === 0) return [];
  const owners = await findKeyOwners(database, [...new Set(ownerless.map(({ keyId }) => keyId))]);
  return ownerless.flatMap((refusal) => {
    const owner = owners.get(refusal.keyId);
    if (owner === undefined) return [];
    const isDeleted = owner.rowId === null && refusal.status === 401;
    return [{ ...refusal, ...owner, reason: isDeleted ? 'deleted' : refusal.reason }];
  });
}
