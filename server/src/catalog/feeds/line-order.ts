import type { SourceTime } from '../../lib/source-time.ts';
import type { FeedLine } from './feed-line.ts';

/** With fewer lines, hardly two are on one page of a large table, in any order. */
const sortedFrom = 10_000;

/**
 * Returns the request positions of lines in the order in which they are stored and applied; null: that of the request. A large
 * feed is applied by SKU: neighbours are then neighbours in the indexes, and the database works a quarter less. The order
 * affects no result.
 */
export function orderOfLines(lines: readonly FeedLine[], sorted: Uint32Array): Uint32Array | null {
  if (lines.length < sortedFrom || sorted.every((place, index) => place === index)) return null;
  return sorted;
}

/** Returns the request positions of a feed's lines by SKU and location; lines with equal ones by position. */
export function sortedPlaces(lines: readonly FeedLine[]): Uint32Array {
  const places = Uint32Array.from(lines.keys());
  if (isSorted(lines)) return places;
  return places.sort((a, b) => compare(lines[a] as FeedLine, lines[b] as FeedLine) || a - b);
}

function namesOnePlace(a: FeedLine, b: FeedLine): boolean {
  return a.sku === b.sku && a.locationCode === b.locationCode;
}

function isSorted(lines: readonly FeedLine[]): boolean {
  return lines.every((line, index) => index === 0 || compare(lines[index - 1] as FeedLine, line) <= 0);
}

function compare(a: FeedLine, b: FeedLine): number {
  if (a.sku !== b.sku) return a.sku < b.sku ? -1 : 1;
  if (a.locationCode !== b.locationCode) return a.locationCode < b.locationCode ? -1 : 1;
  return 0;
}

/** Returns the inverse permutation: at the request position of each line, its number in the given order. */
export function numbersByPlace(order: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(order.length);
  for (const [number, place] of order.entries()) numbers[place] = number;
  return numbers;
}

/**
 * Returns the positions of superseded lines: of several for one SKU and location the newest wins, of equally new ones the last
 * [catalog-105]. `sorted`: all positions by SKU and location; a map by their strings would need as much memory as the lines.
 * `receivedAt` is the time of lines without one.
 */
export function supersededLines(
  lines: readonly FeedLine[],
  sorted: Uint32Array,
  receivedAt: SourceTime,
): ReadonlySet<number> {
  const superseded = new Set<number>();
  const timeOf = (place: number) => (lines[place] as FeedLine).updatedAt ?? receivedAt;
  const isNewer = (place: number, rival: number) =>
    timeOf(place) === timeOf(rival) ? place > rival : timeOf(place) > timeOf(rival);
  let newest: number | null = null;
  for (const place of sorted) {
    if (newest === null || !namesOnePlace(lines[newest] as FeedLine, lines[place] as FeedLine)) {
      newest = place;
      continue;
    }
    const wins = isNewer(place, newest);
    superseded.add(wins ? newest : place);
    if (wins) newest = place;
  }
  return superseded;
}
