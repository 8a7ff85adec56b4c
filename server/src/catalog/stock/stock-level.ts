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

/** The merchandising statuses [catalog-74]. */
export const availabilityStatuses = ['in_stock', 'low_stock', 'out_of_stock', 'stale'] as const;

export type AvailabilityStatus = (typeof availabilityStatuses)[number];

/** Sums over the levels of a variant, of a product's own, or of a parent's active variants. */
export interface StockSum {
  /** The number of all levels, and of those at active locations. */
  readonly levels: number;
  readonly countedLevels: number;
  /** The sum of max(0, quantity - reserved) over the levels at active locations. */
  readonly available: number;
  /**
   * The latest `source_updated_at` at active locations, milliseconds since the Unix epoch; Infinity if a level was last written
   * by something other than a feed; null without levels.
   */
  readonly freshAt: number | null;
}

export interface AvailabilitySettings {
  readonly lowStockThreshold: number;
  /** null: stock never becomes stale. */
  readonly staleAfterHours: number | null;
}

const hourMs = 3_600_000;

/** Returns the last instant, milliseconds since the Unix epoch, at which the stock is not yet stale; null: never stale. */
function staleAfter({ levels, countedLevels, freshAt }: StockSum, hours: number | null): number | null {
  if (hours === null || levels === 0 || countedLevels === 0 || freshAt === null || freshAt === Infinity)
    return null;
  return freshAt + hours * hourMs;
}

/**
 * Returns the last instant, `now` or later, up to which time alone changes none of the statuses; null: it never does.
 * Milliseconds since the Unix epoch. Stale stock stays stale.
 */
export function statusesHoldUntil(
  stocks: readonly StockSum[],
  { staleAfterHours }: AvailabilitySettings,
  now: number,
): number | null {
  if (staleAfterHours === null) return null;
  let first: number | null = null;
  for (const stock of stocks) {
    const end = staleAfter(stock, staleAfterHours);
    if (end !== null && end >= now && (first === null || end < first)) first = end;
  }
  return first;
}

/**
 * `now`, in milliseconds since the Unix epoch, is why the status is computed on each read [catalog-74] [catalog-75]
 * [catalog-77] [D253].
 */
export function availabilityStatus(
  stock: StockSum,
  { lowStockThreshold, staleAfterHours }: AvailabilitySettings,
  now: number,
): AvailabilityStatus | null {
  if (stock.levels === 0) return null;
  if (stock.countedLevels === 0) return 'out_of_stock';
  const end = staleAfter(stock, staleAfterHours);
  if (end !== null && now > end) return 'stale';
  if (stock.available === 0) return 'out_of_stock';
  return stock.available <= lowStockThreshold ? 'low_stock' : 'in_stock';
}

export const movementReasons = ['manual', 'feed'] as const;

/** One change of a level's quantity, as the ledger stores it. */
export interface StockMovement {
  readonly id: number;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  readonly sku: string;
  readonly location: string;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly reason: (typeof movementReasons)[number];
  readonly note: string;
  readonly createdAt: Date;
}
