import { ApiError, notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { FieldProblems } from '../field-problems.ts';
import { defaultLocationCode } from '../locations/location.ts';
import { ensureDefaultLocation } from '../locations/location-store.ts';
import { type StockWriteResult, writeAdjustment } from './adjust-store.ts';
import type { AdjustedStock, StockAdjustment } from './stock-adjustment.ts';

/**
 * Sets the stock of one place to an absolute figure, in the given transaction: one statement. What decides (the present
 * quantity, whether the variant is live) is looked at in the database under the lock on the product's stock, never worked
 * out here from a figure read before; of any number of guarded adjustments with one `expectedQuantity`, one wins
 * [catalog-92]. Lock order: location, product's stock, level; the brand's catalog lock is not taken.
 * @throws ApiError `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
 *   `current_quantity`; `rejected_stale`
 */
export async function adjustStock(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const code = adjustment.location ?? defaultLocationCode;
  const write = () => writeAdjustment(tx, brandId, productTuId, code, adjustment);
  let result = await write();
  // The default location is made on demand: the one thing that an adjustment creates by itself [catalog-89].
  if (result.outcome === 'no_place' && !result.isLocationFound && adjustment.location === null) {
    await ensureDefaultLocation(tx, brandId);
    result = await write();
  }
  requireSet(result, adjustment);
  return adjustedStock(productTuId, code, adjustment, result);
}

function requireSet(result: StockWriteResult, adjustment: StockAdjustment): void {
  switch (result.outcome) {
    case 'set':
      return;
    case 'no_product':
      throw notFound();
    case 'no_place':
      problemsOfPlace(result, adjustment).throwIfAny();
      throw new Error('a stock place was refused without a reason');
    case 'version_conflict':
      throw new ApiError('stock_version_conflict', { extra: { current_quantity: result.quantityBefore } });
    case 'stale':
      throw new ApiError('rejected_stale');
  }
}

/** The rules for `variant` and `location` [catalog-88] [catalog-90]. */
function problemsOfPlace(
  { hasVariants, isVariantFound, isLocationFound }: StockWriteResult,
  { variant }: StockAdjustment,
): FieldProblems {
  const problems = new FieldProblems();
  if (hasVariants && variant === undefined)
    problems.add('variant', 'is required because stock of this product is kept per variant');
  else if (!hasVariants && variant !== undefined)
    problems.add('variant', 'is not allowed because the product has no variants');
  else if (variant !== undefined && !isVariantFound)
    problems.add('variant', 'is not a variant of this product');
  if (!isLocationFound) problems.add('location', 'is not a location of the brand');
  return problems;
}

function adjustedStock(
  productTuId: string,
  location: string,
  {
    variant = null,
    quantity,
    note,
  }: Pick<StockAdjustment, 'quantity' | 'note'> & { variant?: string | null },
  { sku, quantityBefore, reserved, writtenAt, movementId }: StockWriteResult,
): AdjustedStock {
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
