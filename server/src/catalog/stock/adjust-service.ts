import { asResult, type SharedResult } from '../../api/shared-handling.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { FieldProblems } from '../field-problems.ts';
import { changeStock, tryChangeStock } from './change-stock.ts';
import type { AdjustedStock, StockAdjustment } from './stock-adjustment.ts';
import type { StockChange, StockChangeResult, StockOutcome } from './stock-change.ts';

/**
 * Sets the quantity of one place, in the given transaction (`changeStock`). The database decides, under the lock on the
 * product's stock: of concurrent guarded adjustments with the same `expectedQuantity`, exactly one succeeds
 * [catalog-92].
 * @throws ApiError `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
 *   `current_quantity`; `rejected_stale`
 */
export async function adjustStock(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  adjustment: StockAdjustment,
): Promise<AdjustedStock> {
  const change = changeOf({ brandId, productTuId, adjustment });
  const [result] = await changeStock(tx, [change]);
  return adjustedStock(change, result as StockChangeResult);
}

/** A quantity for one place of a product. */
export interface ProductAdjustment {
  readonly brandId: number;
  readonly productTuId: string;
  readonly adjustment: StockAdjustment;
}

/**
 * Sets the quantities of places of any brands (`tryChangeStock`), each as `adjustStock` does, but waits for no lock of a
 * product: an adjustment that would have to is `alone`. A refusal is a result.
 */
export async function adjustStockTogether(
  tx: Transaction,
  adjustments: readonly ProductAdjustment[],
): Promise<SharedResult<AdjustedStock>[]> {
  const changes = adjustments.map(changeOf);
  const results = await tryChangeStock(tx, changes);
  return results.map((result, index) => {
    if (result === null) return 'alone';
    return asResult(() => adjustedStock(changes[index] as StockChange, result));
  });
}

function changeOf({ brandId, productTuId, adjustment }: ProductAdjustment): StockChange {
  return {
    brandId,
    productTuId,
    variantTuId: adjustment.variant ?? null,
    location: adjustment.location,
    quantity: adjustment.quantity,
    reserved: null,
    expectedQuantity: adjustment.expectedQuantity,
    fedAt: null,
    note: adjustment.note,
    origin: adjustment.origin,
  };
}

/** The rules for `variant` [catalog-88] [catalog-90]. */
const variantProblems: Readonly<Partial<Record<StockOutcome, string>>> = {
  variant_required: 'is required because stock of this product is kept per variant',
  variant_not_allowed: 'is not allowed because the product has no variants',
  unknown_variant: 'is not a variant of this product',
};

/**
 * Returns the level and movement of a change that was written.
 * @throws ApiError the refusal of one that was not: see `adjustStock`
 */
function adjustedStock(change: StockChange, result: StockChangeResult): AdjustedStock {
  const { outcome, sku, location, quantityBefore, reserved, writtenAt, movementId } = result;
  if (outcome === 'unknown_product') throw notFound();
  if (outcome === 'conflict')
    throw new ApiError('stock_version_conflict', { extra: { current_quantity: quantityBefore } });
  if (outcome === 'stale') throw new ApiError('rejected_stale');
  const problems = new FieldProblems();
  const variantProblem = variantProblems[outcome];
  if (variantProblem !== undefined) problems.add('variant', variantProblem);
  if (!result.isLocationFound) problems.add('location', 'is not a location of the brand');
  problems.throwIfAny();

  const { quantity, note } = change;
  const at = writtenAt as Date;
  const place = { sku, productTuId: change.productTuId, variantTuId: change.variantTuId, location };
  const entry = { id: movementId, quantityBefore, quantityAfter: quantity, reason: 'manual', note } as const;
  return {
    level: { ...place, quantity, reserved, sourceUpdatedAt: at, updatedAt: at },
    movement: entry.id === null ? null : { ...place, ...entry, id: entry.id, createdAt: at },
  };
}
