import { parseSourceTime, type SourceTime } from '../../lib/source-time.ts';
import { isStorableText, isTrimmed } from '../../lib/text.ts';

export interface FeedLine {
  readonly sku: string;
  readonly locationCode: string;
  readonly quantity: number;
  /** null: the level keeps its reservation. */
  readonly reserved: number | null;
  /** null: the time of receipt. */
  readonly updatedAt: SourceTime | null;
}

type ReportProblem = (field: string, message: string) => void;

export const maxSkuLength = 191;
export const maxLocationLength = 64;
export const maxAheadMs = 24 * 60 * 60 * 1_000;
const aheadMessage = 'must be at most 24 hours ahead of the server’s time';
export const maxFigure = 2_147_483_647;

/**
 * Reports problems and returns null. `latest`: the last time that a line may have; null: any. Written by hand because it runs for
 * each of 100,000 lines; a test compares it with the schema.
 */
export function readFeedLine(
  value: unknown,
  latest: SourceTime | null,
  report: ReportProblem,
): FeedLine | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('', 'must be an object');
    return null;
  }
  let isFine = true;
  const refuse = (field: string, message: string) => {
    isFine = false;
    report(field, message);
  };
  const { sku, location_code, quantity, reserved, updated_at } = value as Record<string, unknown>;
  checkText('sku', sku, maxSkuLength, refuse);
  checkText('location_code', location_code, maxLocationLength, refuse);
  if (quantity === undefined) refuse('quantity', 'is required');
  else checkFigure('quantity', quantity, refuse);
  if (reserved !== undefined) checkFigure('reserved', reserved, refuse);
  const instant = updated_at === undefined ? null : readInstant(updated_at, refuse);
  // One line dated far ahead would close its level for all that come after it.
  if (instant !== null && latest !== null && instant > latest) refuse('updated_at', aheadMessage);
  if (!isFine) return null;
  return {
    sku: sku as string,
    locationCode: location_code as string,
    quantity: quantity as number,
    reserved: (reserved as number | undefined) ?? null,
    updatedAt: instant,
  };
}

function checkText(field: string, value: unknown, max: number, refuse: ReportProblem): void {
  if (value === undefined) refuse(field, 'is required');
  else if (typeof value !== 'string') refuse(field, 'must be a string');
  else if (value === '') refuse(field, 'must not be empty');
  else if (isLongerThan(value, max)) refuse(field, `must have at most ${max} characters`);
  else if (!isTrimmed(value) || !isStorableText(value))
    refuse(field, 'must not start or end with white space, nor contain U+0000 or unpaired surrogates');
}

/** Counts code points, like PostgreSQL. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

function checkFigure(field: string, value: unknown, refuse: ReportProblem): void {
  if (!Number.isInteger(value)) refuse(field, 'must be an integer');
  else if ((value as number) < 0) refuse(field, 'must be at least 0');
  else if ((value as number) > maxFigure) refuse(field, `must be at most ${maxFigure}`);
}

function readInstant(value: unknown, refuse: ReportProblem): SourceTime | null {
  const instant = typeof value === 'string' ? parseSourceTime(value) : null;
  if (typeof value !== 'string') refuse('updated_at', 'must be a string');
  else if (instant === null)
    refuse('updated_at', 'must be a date-time with an offset, such as 2026-03-01T08:30:00Z');
  return instant;
}

/** With fewer lines, hardly two are on one page of a large table, in any order. */
const sortedFrom = 10_000;

/**
 * Returns the request positions of lines in the order in which they are stored and applied; null: that of the request. A large
 * feed is applied by SKU: neighbours are then neighbours in the indexes, and the database works a quarter less. The order
 * affects no result.
 */
export function orderOfLines(lines: readonly FeedLine[], sorted: Uint32Array): Uint32Array | null {
  if (lines.length < sortedFrom || sorted.every((position, index) => position === index)) return null;
  return sorted;
}

/** Returns the request positions of a feed's lines by SKU and location; lines with equal ones by position. */
export function sortedPositions(lines: readonly FeedLine[]): Uint32Array {
  const positions = Uint32Array.from(lines.keys());
  if (isSorted(lines)) return positions;
  return positions.sort((a, b) => compare(lines[a] as FeedLine, lines[b] as FeedLine) || a - b);
}

function isForSameLevel(a: FeedLine, b: FeedLine): boolean {
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
export function numbersByPosition(order: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(order.length);
  for (const [number, position] of order.entries()) numbers[position] = number;
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
  const timeOf = (position: number) => (lines[position] as FeedLine).updatedAt ?? receivedAt;
  const isNewer = (position: number, rival: number) =>
    timeOf(position) === timeOf(rival) ? position > rival : timeOf(position) > timeOf(rival);
  let newest: number | null = null;
  for (const position of sorted) {
    if (newest === null || !isForSameLevel(lines[newest] as FeedLine, lines[position] as FeedLine)) {
      newest = position;
      continue;
    }
    const wins = isNewer(position, newest);
    superseded.add(wins ? newest : position);
    if (wins) newest = position;
  }
  return superseded;
}
