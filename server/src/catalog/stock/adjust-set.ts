import { ApiError, notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { FieldProblems } from '../field-problems.ts';
import { type PlaceFacts, readPlaceFacts } from './adjust-facts-store.ts';
import { lockStocks, type StockLock } from './brand-stock-store.ts';
import { isWritten } from './level-decision.ts';
import type { AdjustedStock, StockAdjustment } from './stock-adjustment.ts';
import { StockChanges, type StockPlace } from './stock-changes.ts';
import { writeStockChanges } from './write-stock-store.ts';

/** Adjustments of any brands in one transaction, decided in order of arrival under the brands' stock locks. */
export class AdjustmentSet {
  readonly #adjustments: readonly StockAdjustment[];
  readonly #locks: ReadonlyMap<number, StockLock>;
  readonly #facts: readonly PlaceFacts[];
  readonly #changes = new StockChanges();
  readonly #tx: Transaction;

  private constructor(
    tx: Transaction,
    adjustments: readonly StockAdjustment[],
    { locks, facts }: { locks: ReadonlyMap<number, StockLock>; facts: readonly PlaceFacts[] },
  ) {
    this.#tx = tx;
    this.#adjustments = adjustments;
    this.#locks = locks;
    this.#facts = facts;
  }

  /** Locks the brands and reads the places, in one round trip. `waits` false: skips brands that are locked. */
  static async open(
    tx: Transaction,
    adjustments: readonly StockAdjustment[],
    options: { readonly waits: boolean },
  ): Promise<AdjustmentSet> {
    const [locks, facts] = await Promise.all([
      lockStocks(
        tx,
        adjustments.map(({ brandId }) => brandId),
        options,
      ),
      readPlaceFacts(tx, adjustments),
    ]);
    return new AdjustmentSet(tx, adjustments, { locks, facts });
  }

  isLocked(position: number): boolean {
    return this.#locks.has((this.#adjustments[position] as StockAdjustment).brandId);
  }

  /**
   * Decides one adjustment. Of guarded adjustments with the same `expectedQuantity` exactly one succeeds [catalog-92].
   * @throws ApiError `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
   *   `current_quantity`; `rejected_stale`
   */
  decide(position: number): AdjustedStock {
    const adjustment = this.#adjustments[position] as StockAdjustment;
    const facts = this.#facts[position] as PlaceFacts;
    const lock = this.#locks.get(adjustment.brandId) as StockLock;
    const place = placeOf(adjustment, facts);
    const { note, keyId, requestId, quantity, expectedQuantity } = adjustment;
    const origin = { note, keyId, requestId, feedId: null, feedLine: null };
    const change = { quantity, reserved: null, expectedQuantity, fedAt: null };
    const decided = this.#changes.decide(lock, place, { ...change, movementId: facts.movementId, origin });
    const quantityBefore = decided.before?.quantity ?? 0;
    if (decided.outcome === 'conflict')
      throw new ApiError('stock_version_conflict', { extra: { current_quantity: quantityBefore } });
    if (!isWritten(decided)) throw new ApiError('rejected_stale');
    const { productTuId, variantTuId } = adjustment;
    const { reserved, sourceAt } = decided.after;
    const named = { sku: place.sku, productTuId, variantTuId, location: place.locationCode };
    const times = { sourceUpdatedAt: new Date(sourceAt), updatedAt: lock.stampedAt };
    const entry = {
      id: facts.movementId,
      quantityBefore,
      quantityAfter: quantity,
      reason: 'manual',
      note,
    } as const;
    return {
      level: { ...named, quantity, reserved, ...times },
      movement: decided.isMoved ? { ...named, ...entry, createdAt: lock.stampedAt } : null,
    };
  }

  /** Queues the statements that write what was decided. */
  write(): Promise<void> {
    return writeStockChanges(this.#tx, this.#changes);
  }
}

/** @throws ApiError if the adjustment names no place where stock is kept [catalog-88] [catalog-90] */
function placeOf({ variantTuId, location }: StockAdjustment, facts: PlaceFacts): StockPlace {
  if (facts.productId === null) throw notFound();
  const problems = new FieldProblems();
  const isGiven = variantTuId !== null;
  if (facts.hasVariants && !isGiven)
    problems.add('variant', 'is required because stock of this product is kept per variant');
  else if (!facts.hasVariants && isGiven)
    problems.add('variant', 'is not allowed because the product has no variants');
  else if (isGiven && facts.variantId === null) problems.add('variant', 'is not a variant of this product');
  if (facts.locationId === null && location !== null)
    problems.add('location', 'is not a location of the brand');
  problems.throwIfAny();
  return { ...facts, productId: facts.productId, sku: facts.variantSku ?? facts.productSku };
}

/**
 * Sets the quantity of one place in the given transaction, as a set of one; waits for the brand's stock lock.
 * @throws ApiError see `AdjustmentSet.decide`
 */
export async function adjustStock(tx: Transaction, adjustment: StockAdjustment): Promise<AdjustedStock> {
  const set = await AdjustmentSet.open(tx, [adjustment], { waits: true });
  const adjusted = set.decide(0);
  await set.write();
  return adjusted;
}
