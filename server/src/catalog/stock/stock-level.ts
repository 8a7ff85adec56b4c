/** How much of one thing there is at one location: a flat stock level [catalog-79]. */
export interface StockLevel {
  readonly sku: string;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  /** The location's external code. */
  readonly location: string;
  readonly quantity: number;
  readonly reserved: number;
  /** What the figures are as of: an adjustment's own time, or what a feed said. */
  readonly sourceUpdatedAt: Date;
  readonly updatedAt: Date;
}

/** What can still be sold of a level; reservations beyond the quantity do not make it negative. */
export function availableOf({ quantity, reserved }: Pick<StockLevel, 'quantity' | 'reserved'>): number {
  return Math.max(0, quantity - reserved);
}
