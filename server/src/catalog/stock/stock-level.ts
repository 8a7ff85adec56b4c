import type { SourceTime } from '../../lib/source-time.ts';

/** The quantity and reservation of one stockable at one location: a flat stock level [catalog-79]. */
export interface StockLevel {
  readonly sku: string;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  readonly location: string;
  readonly quantity: number;
  readonly reserved: number;
  /** The time to which the quantities apply: the time of an adjustment, or a timestamp from a feed. */
  readonly sourceUpdatedAt: SourceTime;
  readonly updatedAt: Date;
}

/** Returns the quantity of a level that can still be sold; reservations beyond the quantity do not make it negative. */
export function availableOf({ quantity, reserved }: Pick<StockLevel, 'quantity' | 'reserved'>): number {
  return Math.max(0, quantity - reserved);
}
