import { type SourceTime, sourceTimeOf } from '../../lib/source-time.ts';
import {
  decideLevel,
  isWritten,
  type LevelChange,
  type LevelDecision,
  type LevelState,
  type WhereCounted,
} from './level-decision.ts';
import type { StockMovement } from './stock-level.ts';

/** Where stock is kept, as the transaction has read it under the brand's stock lock. */
export interface TargetLevel extends WhereCounted {
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

/** The source of a movement, recorded with it [D119]: an adjustment, or the line of a feed. */
export interface MovementOrigin {
  readonly reason: StockMovement['reason'];
  readonly note: string;
  /** The public id of the API key of an adjustment; null if there is none. */
  readonly keyId: string | null;
  readonly requestId: string | null;
  readonly feedId: number | null;
  readonly feedLine: number | null;
}

/** The transaction of changes: its brand, the `updated_at` of what it writes, and the database's time. */
export interface ChangeMoment {
  readonly brandId: number;
  readonly stampedAt: Date;
  readonly now: Date;
}

/** A level that was changed, before (`target`) and after all changes of the transaction. */
export interface ChangedLevel {
  readonly moment: ChangeMoment;
  readonly target: TargetLevel;
  readonly after: LevelState;
  /**
   * True if the rollup has to be recomputed: it is missing, or a feed has written a level that was set by hand, which may have
   * been the last one that kept the product from becoming stale.
   */
  readonly needsRefresh: boolean;
}

export interface NewMovement {
  readonly id: number;
  readonly moment: ChangeMoment;
  readonly target: TargetLevel;
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

/** Changes of a brand's stock in one transaction, decided in memory one after the other. `writeStockChanges` writes them. */
export class StockChanges {
  readonly #moment: ChangeMoment;
  readonly #now: SourceTime;
  readonly #levels = new Map<string, ChangedLevel>();
  readonly movements: NewMovement[] = [];

  constructor(moment: ChangeMoment) {
    this.#moment = moment;
    this.#now = sourceTimeOf(moment.now);
  }

  get levels(): readonly ChangedLevel[] {
    return [...this.#levels.values()];
  }

  /** Decides on the level as the changes before have left it. A refusal (`conflict`, `stale`) leaves no trace. */
  decide(
    target: TargetLevel,
    change: LevelChange & { readonly movementId: number; readonly origin: MovementOrigin },
  ): DecidedChange {
    const key = `${target.productId} ${target.variantId} ${target.locationCode}`;
    const earlier = this.#levels.get(key);
    const before = earlier === undefined ? target.level : earlier.after;
    const decision = decideLevel(before, change, this.#now);
    if (!isWritten(decision)) return { ...decision, before, isMoved: false };
    const { after } = decision;
    const moment = this.#moment;
    // The second change of a new level belongs to the level that the first one creates.
    const own = earlier?.target ?? target;
    const needsRefresh = !target.hasRollup || (after.isFromFeed && target.level?.isFromFeed === false);
    this.#levels.set(key, { moment, target: own, after, needsRefresh });
    const quantityBefore = before?.quantity ?? 0;
    const isMoved = quantityBefore !== after.quantity;
    if (isMoved)
      this.movements.push({
        id: change.movementId,
        moment,
        target: own,
        quantityBefore,
        quantityAfter: after.quantity,
        origin: change.origin,
      });
    return { ...decision, before, isMoved };
  }
}
