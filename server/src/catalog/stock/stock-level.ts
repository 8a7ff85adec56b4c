/** The stock of one product or variant at one location: a flat stock level [catalog-79]. */
export interface StockLevel {
  readonly sku: string;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  /** The location's external code. */
  readonly location: string;
  readonly quantity: number;
  readonly reserved: number;
  /** Timestamp of the quantities: the time of the adjustment, or the feed's timestamp. */
  readonly sourceUpdatedAt: Date;
  readonly updatedAt: Date;
}

/** The sellable quantity of a level; reservations beyond the quantity do not make it negative. */
export function availableOf({ quantity, reserved }: Pick<StockLevel, 'quantity' | 'reserved'>): number {
  return Math.max(0, quantity - reserved);
}
