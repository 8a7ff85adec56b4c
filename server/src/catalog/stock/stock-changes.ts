import { sourceTimeOf } from '../../lib/source-time.ts';
import type { StockLock } from './brand-stock-store.ts';
import {
  decideLevel,
  isWritten,
  type LevelChange,
  type LevelDecision,
  type LevelState,
  type WhereCounted,
} from './level-decision.ts';

/** Where stock is kept, as the transaction has read it under the brand's stock lock. */
export interface StockPlace extends WhereCounted {
  readonly productId: number;
  readonly sku: string;
  readonly locationId: number;
  readonly locationCode: string;
  /** The id of the level; if there is none, the id that it gets. */
  readonly levelId: number;
  readonly level: LevelState | null;
  /** True if the product has its row of `product_stock`; only damage removes it. */
  readonly hasRollup: boolean;
}

/** The line of a feed that is the source of a movement, recorded with it [D119]. */
interface MovementOrigin {
  readonly note: string;
  readonly feedId: number;
  readonly feedLine: number;
}

/** A level that was changed, before and after all changes of the transaction. */
export interface ChangedLevel {
  readonly lock: StockLock;
  readonly place: StockPlace;
  readonly after: LevelState;
  /**
   * True if the rollup has to be recomputed: it is missing, or a feed has written a level that was set by hand, which may have
   * been the last one that kept the product from becoming stale.
   */
  readonly needsRefresh: boolean;
}

export interface NewMovement {
  readonly id: number;
  readonly lock: StockLock;
  readonly place: StockPlace;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly origin: MovementOrigin;
}

/** A decided change, with the level as it was before. */
type DecidedChange = LevelDecision & {
  readonly before: LevelState | null;
  /** True if the quantity changes, and so the ledger gets an entry. */
  readonly isMoved: boolean;
};

/** Changes of a feed's chunk, decided in memory one after the other. Nothing is written before `writeStockChanges`. */
export class StockChanges {
  readonly lock: StockLock;
  readonly #levels = new Map<string, ChangedLevel>();
  readonly movements: NewMovement[] = [];

  constructor(lock: StockLock) {
    this.lock = lock;
  }

  get levels(): readonly ChangedLevel[] {
    return [...this.#levels.values()];
  }

  /** A refusal (`conflict`, `stale`) leaves no trace. */
  decide(
    place: StockPlace,
    change: LevelChange & { readonly movementId: number; readonly origin: MovementOrigin },
  ): DecidedChange {
    const { lock } = this;
    const key = `${place.productId} ${place.variantId} ${place.locationCode}`;
    const earlier = this.#levels.get(key);
    const before = earlier === undefined ? place.level : earlier.after;
    const decision = decideLevel(before, change, sourceTimeOf(lock.now));
    if (!isWritten(decision)) return { ...decision, before, isMoved: false };
    const { after } = decision;
    // The second change of a new level belongs to the level that the first one creates.
    const own = earlier?.place ?? place;
    const needsRefresh = !place.hasRollup || (after.isFromFeed && place.level?.isFromFeed === false);
    this.#levels.set(key, { lock, place: own, after, needsRefresh });
    const quantityBefore = before?.quantity ?? 0;
    const isMoved = quantityBefore !== after.quantity;
    if (isMoved)
      this.movements.push({
        id: change.movementId,
        lock,
        place: own,
        quantityBefore,
        quantityAfter: after.quantity,
        origin: change.origin,
      });
    return { ...decision, before, isMoved };
  }
}
