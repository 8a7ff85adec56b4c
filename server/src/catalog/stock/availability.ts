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
 * [catalog-77] [D19].
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
