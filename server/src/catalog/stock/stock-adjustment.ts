import type { ChangeOrigin } from './stock-change.ts';
import type { StockLevel } from './stock-level.ts';
import type { StockMovement } from './stock-movement.ts';

/** An absolute quantity for one place, as a client sends it. */
export interface StockAdjustment {
  /** A variant's `tu_id`; absent for the product's own stock. */
  readonly variant?: string;
  /** A location's external code; null: the brand's default location. */
  readonly location: string | null;
  /** 0 to 2,147,483,647. */
  readonly quantity: number;
  /** The quantity that the level must have for the write to happen; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  /** The note of the movement. */
  readonly note: string;
  readonly origin: ChangeOrigin | null;
}

export interface AdjustedStock {
  readonly level: StockLevel;
  /** null: the quantity was already the same. */
  readonly movement: StockMovement | null;
}
