import type { OpenSet } from '../../api/set-handling.ts';
import { ApiError, notFound, rejectedStale } from '../../errors/api-error.ts';
import { shownSourceTime } from '../../lib/source-time.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { FieldProblems } from '../field-problems.ts';
import { type NamedPlace, type PlaceFacts, readPlaceFacts } from './adjust-facts-store.ts';
import { lockStocks, type StockLock } from './brand-stock-store.ts';
import { isWritten, type LevelState } from './level-decision.ts';
import { StockChanges, type StockPlace } from './stock-changes.ts';
import type { StockLevel } from './stock-level.ts';
import type { StockMovement } from './stock-movement.ts';
import { writeStockChanges } from './write-stock-store.ts';

/** An absolute quantity for one place, as a client sends it. */
export interface StockAdjustment extends NamedPlace {
  /** 0 to 2,147,483,647. */
  readonly quantity: number;
  /** The quantity that the level must have for the write to happen; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  readonly note: string;
  /** The public id of the API key; null if there is none. */
  readonly keyId: string | null;
  readonly requestId: string | null;
}

export interface AdjustedStock {
  readonly level: StockLevel;
  /** null: the quantity was already the same. */
  readonly movement: StockMovement | null;
}

/**
 * Opens adjustments. Of guarded ones with the same `expectedQuantity` exactly one succeeds [catalog-92].
 * @throws ApiError `decide`: `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
 *   `current_quantity`; `rejected_stale` with `source_updated_at`
 */
export async function openAdjustments(
  tx: Transaction,
  adjustments: readonly StockAdjustment[],
  options: Locking,
): Promise<OpenSet<AdjustedStock>> {
  const [locks, facts] = await Promise.all([
    lockStocks(tx, adjustments, options),
    readPlaceFacts(tx, adjustments),
  ]);
  const changes = new StockChanges();
  return setOf(adjustments, locks, {
    decide: (adjustment, lock, position) =>
      decideAdjustment(changes, lock, adjustment, facts[position] as PlaceFacts),
    write: () => writeStockChanges(tx, changes),
  });
}

function decideAdjustment(
  changes: StockChanges,
  lock: StockLock,
  adjustment: StockAdjustment,
  facts: PlaceFacts,
): AdjustedStock {
  const place = placeOf(adjustment, facts);
  const { movementId } = facts;
  const { note, keyId, requestId, quantity, expectedQuantity, productTuId, variantTuId } = adjustment;
  const origin = { note, keyId, requestId, feedId: null, feedLine: null };
  const change = { quantity, reserved: null, expectedQuantity, fedAt: null, movementId, origin };
  const decided = changes.decide(lock, place, change);
  const quantityBefore = decided.before?.quantity ?? 0;
  if (decided.outcome === 'conflict')
    throw new ApiError('stock_version_conflict', { extra: { current_quantity: quantityBefore } });
  if (!isWritten(decided)) throw rejectedStale(shownSourceTime((decided.before as LevelState).sourceAt));
  const { reserved, sourceAt } = decided.after;
  const named = { sku: place.sku, productTuId, variantTuId, location: place.locationCode };
  const times = { sourceUpdatedAt: sourceAt, updatedAt: lock.stampedAt };
  const entry = { id: movementId, quantityBefore, quantityAfter: quantity, reason: 'manual', note } as const;
  return {
    level: { ...named, quantity, reserved, ...times },
    movement: decided.isMoved ? { ...named, ...entry, createdAt: lock.stampedAt } : null,
  };
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
