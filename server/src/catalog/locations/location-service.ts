import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { lockStock, noteStockChange, type StockLock } from '../stock/brand-stock-store.ts';
import {
  changesNothing,
  defaultLocationCode,
  type Location,
  type LocationFields,
} from '../stock/location.ts';
import {
  findLocation,
  insertLocation,
  listProductsAtLocation,
  updateLocation,
} from '../stock/location-store.ts';
import { refreshProductStock } from '../stock/product-stock-store.ts';

/**
 * The number of products whose stock is refreshed by one statement, which takes about half a second.
 */
const productsAtOnce = 5_000;

/**
 * Adds a location to the brand. Concurrent creations with one code: exactly one succeeds.
 * @throws ApiError `validation_failed` for the reserved code, `conflict` for a code that the brand already has
 *   [catalog-69] [catalog-70]
 */
export async function createLocation(
  tx: Transaction,
  brandId: number,
  externalCode: string,
  { name = externalCode, isActive = true }: Partial<LocationFields>,
): Promise<Location> {
  if (externalCode === defaultLocationCode) throw invalidField('external_code', 'is reserved');
  const location = await insertLocation(tx, brandId, externalCode, { name, isActive });
  if (location === null)
    throw new ApiError('conflict', { message: 'A stock location with this external_code already exists.' });
  return location;
}

/**
 * Writes the given fields of a location and leaves the others; writing the current values changes nothing, not even
 * `updated_at` [D8]. A change of `is_active` updates the availability of every product that has stock here in the same
 * transaction, under the brand's stock lock.
 * @throws ApiError `not_found`, also for the default location [catalog-70]
 */
export async function changeLocation(
  tx: Transaction,
  brandId: number,
  externalCode: string,
  changes: Partial<LocationFields>,
): Promise<Location> {
  if (externalCode === defaultLocationCode) throw notFound();
  const stock = await lockStock(tx, brandId);
  const location = await findLocation(stock, externalCode);
  if (location === null) throw notFound();
  if (changesNothing(location, changes)) return location;
  const changed = await updateLocation(stock, location.id, { ...location, ...changes });
  if (changed.isActive !== location.isActive) await refreshStockAt(stock, location);
  return changed;
}

/** Refreshes all products with stock at the location, in the order of their ids. No level itself changes. */
async function refreshStockAt(stock: StockLock, { id }: Location): Promise<void> {
  const productIds = await listProductsAtLocation(stock, id);
  for (let first = 0; first < productIds.length; first += productsAtOnce) {
    const some = productIds.slice(first, first + productsAtOnce);
    refreshProductStock(stock, some);
  }
  if (productIds.length > 0) noteStockChange(stock, []);
}
