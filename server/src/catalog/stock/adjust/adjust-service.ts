import { ApiError, invalidField, notFound } from '../../../errors/api-error.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { FieldProblems } from '../../field-problems.ts';
import { defaultLocationCode } from '../locations/location.ts';
import { ensureDefaultLocation, keepLocations } from '../locations/location-store.ts';
import { adjustStockLevel, type LevelWriteResult } from './adjust-level-store.ts';
import type { AdjustedStock, StockAdjustment } from './stock-adjustment.ts';
import { findStockPlace, type StockPlace } from './stock-place-store.ts';

/**
 * Sets the stock of one place to an absolute figure, in the given transaction: two statements where the level exists.
 * What decides (the present quantity, whether the variant is live) is looked at in the database under the lock on the
 * product's stock, never worked out here from a figure read before; of any number of guarded adjustments with one
 * `expectedQuantity`, one wins (contract, endpoint rule 11). Lock order: location, product's stock, level; the brand's
 * catalog lock is not taken.
 * @throws ApiError `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
 *   `current_quantity`; `rejected_stale`
 */
export async function adjustStock(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const place = await findPlace(tx, brandId, productTuId, adjustment);
  const locationId = requirePlace(place, adjustment);
  if (!place.hasLevel) await keepLocations(tx, brandId, [locationId]);
  const { productId, variantId } = place;
  const { quantity, expectedQuantity, note } = adjustment;
  const write = { brandId, productId, variantId, locationId, quantity, expectedQuantity, note };
  const result = await adjustStockLevel(tx, write);
  requireSet(result);
  return adjustedStock(productTuId, adjustment, result);
}

/** The default location is made on demand: the one thing that an adjustment creates by itself (contract, Locations). */
async function findPlace(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  { variant, location }: StockAdjustment,
): Promise<StockPlace> {
  const find = () =>
    findStockPlace(tx, brandId, productTuId, variant ?? null, location ?? defaultLocationCode);
  let place = await find();
  if (place !== null && place.locationId === null && location === null) {
    await ensureDefaultLocation(tx, brandId);
    place = await find();
  }
  if (place === null) throw notFound();
  return place;
}

/** The rules for `variant` and `location` (contract, endpoint rule 11; decision Catalog 13); answers the location. */
function requirePlace(
  { hasVariants, variantId, locationId }: StockPlace,
  { variant }: StockAdjustment,
): number {
  const problems = new FieldProblems();
  if (hasVariants && variant === undefined)
    problems.add('variant', 'is required: the product has variants, and each has a stock of its own');
  else if (!hasVariants && variant !== undefined)
    problems.add('variant', 'is not allowed: the product has no variants');
  else if (variant !== undefined && variantId === null)
    problems.add('variant', 'is not a variant of this product');
  if (locationId === null) problems.add('location', 'is not a location of the brand');
  problems.throwIfAny();
  return locationId as number;
}

function requireSet({ outcome, quantityBefore }: LevelWriteResult): void {
  switch (outcome) {
    case 'set':
      return;
    case 'variant_deleted':
      throw invalidField('variant', 'is not a variant of this product');
    case 'version_conflict':
      throw new ApiError('stock_version_conflict', { extra: { current_quantity: quantityBefore } });
    case 'stale':
      throw new ApiError('rejected_stale');
  }
}

function adjustedStock(
  productTuId: string,
  {
    variant = null,
    quantity,
    note,
  }: Pick<StockAdjustment, 'quantity' | 'note'> & { variant?: string | null },
  result: LevelWriteResult,
): AdjustedStock {
  const { sku, locationCode: location, quantityBefore, reserved, writtenAt, movementId } = result;
  const place = { sku, productTuId, variantTuId: variant, location };
  return {
    level: { ...place, quantity, reserved, sourceUpdatedAt: writtenAt, updatedAt: writtenAt },
    movement:
      movementId === null
        ? null
        : {
            ...place,
            id: movementId,
            quantityBefore,
            quantityAfter: quantity,
            reason: 'manual',
            note,
            createdAt: writtenAt,
          },
  };
}
