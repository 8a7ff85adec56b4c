import type { FeedLine } from '../../stock/feed.ts';
import type { Article, Sale } from './sales.ts';

/** A feed without its expected results. */
export interface PlannedFeed {
  readonly batchId: string;
  readonly lines: readonly FeedLine[];
}

export const location = 'shop';
/** Before the first sale. */
const openedAt = '2010-11-30T00:00:00Z';
const daysShuffled = 4;

/**
 * Converts the sales to feeds of absolute quantities: first the opening stock, then one feed per trading day, with a
 * line for each sale that has the remaining quantity as of the time of the sale. The days are sent partly out of order:
 * each group of four is shuffled, always in the same way. In every other feed the newest lines come first.
 */
export function feedsOf(articles: readonly Article[], sales: readonly Sale[]): PlannedFeed[] {
  const left = new Map(articles.map(({ sku, openingStock }) => [sku, openingStock]));
  const days = new Map<string, FeedLine[]>();
  for (const { sku, quantity, soldAt } of sales) {
    const quantityLeft = (left.get(sku) as number) - quantity;
    left.set(sku, quantityLeft);
    const day = soldAt.slice(0, 10);
    const lines = days.get(day) ?? [];
    lines.push({ sku, location_code: location, quantity: quantityLeft, updated_at: soldAt });
    days.set(day, lines);
  }
  const opening = articles.map(({ sku, openingStock }) => ({
    sku,
    location_code: location,
    quantity: openingStock,
    updated_at: openedAt,
  }));
  const daily = [...days].map(([day, lines], index) => ({
    batchId: `sales-${day}`,
    lines: index % 2 === 0 ? lines : newestFirst(lines),
  }));
  return [{ batchId: 'opening-stock', lines: opening }, ...shuffleNeighbours(daily, daysShuffled)];
}

/** Lines of the same minute keep their order, since the last of them applies. */
function newestFirst(lines: readonly FeedLine[]): FeedLine[] {
  return lines.toSorted((a, b) => Date.parse(b.updated_at ?? '') - Date.parse(a.updated_at ?? ''));
}

/** Shuffles each group of neighbours of the given size; the result is deterministic. */
export function shuffleNeighbours<T>(items: readonly T[], count: number): T[] {
  const random = seededRandom();
  const shuffled: T[] = [];
  for (let first = 0; first < items.length; first += count) {
    const group = items.slice(first, first + count);
    for (let last = group.length - 1; last > 0; last--) {
      const other = random() % (last + 1);
      [group[last], group[other]] = [group[other] as T, group[last] as T];
    }
    shuffled.push(...group);
  }
  return shuffled;
}

/** Yields a deterministic sequence of 24-bit integers. */
function seededRandom(): () => number {
  let state = 20_101_201;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
