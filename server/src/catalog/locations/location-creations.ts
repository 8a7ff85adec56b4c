import type { OpenSet } from '../../api/set-handling.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { drawIds } from '../draw-ids-store.ts';
import { lockStocks } from '../stock/brand-stock-store.ts';
import type { Location } from '../stock/location.ts';
import { findLocations, insertLocations } from '../stock/location-store.ts';
import { type LocationCreation, newLocation } from './location-rules.ts';

/** Opens creations of locations. @throws ApiError `decide`: see `newLocation` */
export async function openLocationCreations(
  tx: Transaction,
  creations: readonly LocationCreation[],
  options: Locking,
): Promise<OpenSet<Location>> {
  const [locks, ids, present] = await Promise.all([
    lockStocks(tx, creations, options),
    drawIds(tx, 'stock_location', creations.length),
    findLocations(tx, creations),
  ]);
  const created = new Map<string, Location>();
  return setOf(creations, locks, {
    decide: (creation, { now }, position) => {
      const name = `${creation.brandId} ${creation.externalCode}`;
      const isTaken = present[position] !== null || created.has(name);
      const location = newLocation(creation, { id: ids[position] as number, isTaken, now });
      created.set(name, location);
      return location;
    },
    write: () => insertLocations(tx, [...created.values()]),
  });
}
