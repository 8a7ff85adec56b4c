import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { noteStockChange } from '../stock/brand-stock-version-store.ts';
import {
  changesNothing,
  defaultLocationCode,
  type Location,
  type LocationFields,
} from '../stock/location.ts';
import {
  insertLocation,
  listProductsAtLocation,
  lockLocation,
  updateLocation,
} from '../stock/location-store.ts';
import { lockProductStock, refreshProductStock } from '../stock/product-stock-store.ts';

/**
 * The number of products whose stock is locked and refreshed by one pair of statements, which takes about half a
 * second.
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
 * transaction. The location is locked before the products (lock order: location, products by id).
 * @throws ApiError `not_found`, also for the default location [catalog-70]
 */
export async function changeLocation(
  tx: Transaction,
  brandId: number,
  externalCode: string,
  changes: Partial<LocationFields>,
): Promise<Location> {
  if (externalCode === defaultLocationCode) throw notFound();
  const location = await lockLocation(tx, brandId, externalCode);
  if (location === null) throw notFound();
  if (changesNothing(location, changes)) return location;
  const changed = await updateLocation(tx, brandId, location.id, { ...location, ...changes });
  if (changed.isActive !== location.isActive) await refreshStockAt(tx, brandId, location);
  return changed;
}

/**
 * Refreshes all products with stock at the location, in the order of their ids. The location is locked, so no level is
 * added.
 */
async function refreshStockAt(tx: Transaction, brandId: number, { id }: Location): Promise<void> {
  const productIds = await listProductsAtLocation(tx, brandId, id);
  for (let first = 0; first < productIds.length; first += productsAtOnce) {
    const some = productIds.slice(first, first + productsAtOnce);
    await refreshProductStock(await lockProductStock(tx, brandId, some));
  }
  if (productIds.length > 0) noteStockChange(tx, brandId);
}
