/** The merchandising statuses [catalog-74]. */
export const availabilityStatuses = ['in_stock', 'low_stock', 'out_of_stock', 'stale'] as const;

export type AvailabilityStatus = (typeof availabilityStatuses)[number];

/**
 * The input of a status: the levels of a variant, of a product's own stock, or of a parent's active variants.
 */
export interface StockSum {
  /** Levels at all, and those at active locations. */
  readonly levels: number;
  readonly countedLevels: number;
  /** Sum of max(0, quantity - reserved) over the levels at active locations. */
  readonly available: number;
  /**
   * The latest `source_updated_at` of the levels at active locations, milliseconds since the Unix epoch; Infinity when
   * one of them was last written by something else than a feed; null without any.
   */
  readonly freshAt: number | null;
}

/** The brand's part in it. */
export interface AvailabilitySettings {
  readonly lowStockThreshold: number;
  /** null: nothing ever grows stale. */
  readonly staleAfterHours: number | null;
}

const hourMs = 3_600_000;

/** The last instant, milliseconds since the Unix epoch, at which the stock is not stale yet; null: it never grows stale. */
function staleAfter({ levels, countedLevels, freshAt }: StockSum, hours: number | null): number | null {
  if (hours === null || levels === 0 || countedLevels === 0 || freshAt === null || freshAt === Infinity)
    return null;
  return freshAt + hours * hourMs;
}

/**
 * The last instant, `now` or later, at which the clock alone has changed none of the statuses that these stocks have `now`;
 * null: it never does. Both in milliseconds since the Unix epoch. What is stale already stays so.
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
 * The status of a stock [catalog-74] [catalog-75] [catalog-77] [D19]. `now` in milliseconds since the Unix
 * epoch: staleness is the only part that depends on the clock, so the status is computed on read.
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
