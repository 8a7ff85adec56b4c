import type { NamedPlace } from './adjust-facts-store.ts';
import type { StockLevel } from './stock-level.ts';
import type { StockMovement } from './stock-movement.ts';

/** An absolute quantity for one place, as a client sends it. */
export interface StockAdjustment extends NamedPlace {
  /** 0 to 2,147,483,647. */
  readonly quantity: number;
  /** The quantity that the level must have for the write to happen; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  /** The note of the movement. */
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
