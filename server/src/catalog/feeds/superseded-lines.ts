import type { FeedLine } from './feed-line.ts';
import { namesOnePlace } from './line-order.ts';

/**
 * Returns the positions of lines that another line supersedes: of several lines for one SKU and location the newest
 * wins, of equally new ones the last [catalog-105]. `sorted` contains the positions of all lines by SKU and location,
 * where such lines are adjacent; a map by their strings would need as much memory as the lines. `receivedAt`, in
 * milliseconds since the Unix epoch, is the time of lines without one.
 */
export function supersededLines(
  lines: readonly FeedLine[],
  sorted: Uint32Array,
  receivedAt: number,
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
