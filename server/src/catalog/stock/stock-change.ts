/** A quantity for one place, given by the public ids of the product or variant and the code of the location. */
export interface StockChange {
  readonly brandId: number;
  readonly productTuId: string;
  /** A variant's `tu_id`; null for the product's own stock. */
  readonly variantTuId: string | null;
  /** A location's external code; null: the brand's default location, created when it is missing. */
  readonly location: string | null;
  /** The new quantity, 0 to 2,147,483,647. */
  readonly quantity: number;
  /** The new reservation, 0 to 2,147,483,647; null keeps the current one. */
  readonly reserved: number | null;
  /** The quantity that the level must have; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  /** The time to which a feed dates the quantity; null for a change made now, by hand. */
  readonly fedAt: Date | null;
  /** The note of the movement. */
  readonly note: string;
  /** Recorded with the movement; null if the change has none. */
  readonly origin: ChangeOrigin | null;
}

/** The request that makes a change by hand. */
export interface ChangeOrigin {
  /** The public id of the API key. */
  readonly keyId: string;
  readonly requestId: string;
}

/**
 * The outcome of a change. `applied` and `unchanged` have written the level, the others have written nothing.
 * `unknown_location` is the outcome only if nothing else is wrong with the place.
 */
export type StockOutcome =
  | 'applied'
  | 'unchanged'
  | 'conflict'
  | 'stale'
  | 'unknown_product'
  | 'variant_required'
  | 'variant_not_allowed'
  | 'unknown_variant'
  | 'unknown_location';

export interface StockChangeResult {
  readonly outcome: StockOutcome;
  readonly isLocationFound: boolean;
  /** The SKU of the product or variant, empty if it is unknown. */
  readonly sku: string;
  /** The location's external code. */
  readonly location: string;
  /** The level's quantity before the change, 0 if there was no level. */
  readonly quantityBefore: number;
  /** The level's reservation after the change. */
  readonly reserved: number;
  /** The time of the write; null if nothing was written. */
  readonly writtenAt: Date | null;
  /** The id of the movement; null if the quantity did not change. */
  readonly movementId: number | null;
}
