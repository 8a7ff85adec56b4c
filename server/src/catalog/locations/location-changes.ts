import type { OpenSet } from '../../api/set-handling.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { lockStocks, noteStockChange, type StockLock } from '../stock/brand-stock-store.ts';
import type { Location, LocationFields } from '../stock/location.ts';
import { findLocations, listProductsAtLocation, updateLocations } from '../stock/location-store.ts';
import { refreshProductStock } from '../stock/product-stock-store.ts';
import { changedLocation } from './location-rules.ts';

/** One that names `isActive` is a set alone. */
export interface LocationChange {
  readonly brandId: number;
  readonly externalCode: string;
  readonly changes: Partial<LocationFields>;
}

/** The number of products whose stock is refreshed by one statement, which takes about half a second. */
const productsAtOnce = 5_000;

/**
 * Opens changes of locations. `is_active` updates the availability of every product that has stock there.
 * @throws ApiError `decide`: see `changedLocation`
 */
export async function openLocationChanges(
  tx: Transaction,
  given: readonly LocationChange[],
  options: Locking,
): Promise<OpenSet<Location>> {
  const [locks, stored] = await Promise.all([lockStocks(tx, given, options), findLocations(tx, given)]);
  const changed = new Map<number, Location>();
  const switched = new Map<Location, StockLock>();
  return setOf(given, locks, {
    decide: ({ changes }, lock, position) => {
      const read = stored[position] ?? null;
      const present = read === null ? null : (changed.get(read.id) ?? read);
      const location = changedLocation(present, changes, lock.now);
      if (location === present) return location;
      changed.set(location.id, location);
      if (location.isActive !== present?.isActive) switched.set(location, lock);
      return location;
    },
    write: async () => {
      updateLocations(tx, [...changed.values()]);
      for (const [location, lock] of switched) await refreshStockAt(lock, location);
    },
  });
}

/** Refreshes all products with stock at the location, in the order of their ids. No level itself changes. */
async function refreshStockAt(stock: StockLock, { id }: Location): Promise<void> {
  const productIds = await listProductsAtLocation(stock, id);
  for (let first = 0; first < productIds.length; first += productsAtOnce)
    refreshProductStock(stock, productIds.slice(first, first + productsAtOnce));
  if (productIds.length > 0) noteStockChange(stock, []);
}
