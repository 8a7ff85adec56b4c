import type { ResponseOf } from '../../api/call.ts';
import { counted, figure } from '../../parts/messages.ts';
import type { Tone } from '../../parts/state-mark.tsx';

export type Feed = ResponseOf<'getBrandFeed'>;

/** The results of a line, in the order of the page: what was stored, what a newer quantity replaced, what failed. */
export const lineResults = [
  'applied',
  'unchanged',
  'stale',
  'superseded',
  'unknown_sku',
  'unknown_location',
  'not_stockable',
  'undecided',
] as const;

export type LineResult = (typeof lineResults)[number];

/** The results that somebody has to act on. A stale or superseded line did no harm: a newer quantity is stored. */
const failedInCompleted: readonly LineResult[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

/** The results of failed lines. A line without one counts only once its feed has failed. */
export const failures: readonly LineResult[] = [...failedInCompleted, 'undecided'];

export const toneOfResult: Readonly<Record<LineResult, Tone>> = {
  applied: 'good',
  unchanged: 'off',
  stale: 'off',
  superseded: 'off',
  unknown_sku: 'bad',
  unknown_location: 'bad',
  not_stockable: 'bad',
  undecided: 'warn',
};

/** Returns the number of lines of a feed with a result. `undecided`: the lines that have none. */
export function countOf({ totals }: Pick<Feed, 'totals'>, result: LineResult): number {
  if (result !== 'undecided') return totals[result] ?? 0;
  return lineResults.reduce(
    (left, one) => (one === 'undecided' ? left : left - (totals[one] ?? 0)),
    totals.received,
  );
}

/** Returns the results with which lines of a feed failed. Lines without a result count once the feed has failed. */
export function failuresOf(feed: Pick<Feed, 'totals' | 'status'>): readonly LineResult[] {
  const possible = feed.status === 'failed' ? failures : failedInCompleted;
  return possible.filter((result) => countOf(feed, result) > 0);
}

/** Returns the number of lines that failed. */
export function failedLines(feed: Pick<Feed, 'totals' | 'status'>): number {
  return failuresOf(feed).reduce((sum, result) => sum + countOf(feed, result), 0);
}

/** Returns the failed lines that are left: no later line, re-queue or correction has dealt with them. */
export function linesLeft(feed: Pick<Feed, 'totals' | 'status' | 'failed_lines_left'>): number {
  return feed.failed_lines_left + (feed.status === 'failed' ? countOf(feed, 'undecided') : 0);
}

/** The lines on a page of a feed. */
export const linesPerPage = 50;

/** Returns the page of all lines of a feed that has the line, counted from 0; the first page is left out of addresses. */
export function pageOfLine(line: number): number | undefined {
  const page = Math.floor(line / linesPerPage) + 1;
  return page === 1 ? undefined : page;
}

/** Returns how far a feed is: its lines, its place in the queue, and its rate. */
export function progressOf({
  next_line: next,
  received_lines: lines,
  queue_position: place,
  lines_per_second: rate,
}: Feed): string {
  return [
    `${figure(next)} of ${counted(lines, 'line', 'lines')}`,
    ...(place === null ? [] : [place === 1 ? 'next in the queue' : `place ${place} in the queue`]),
    ...(rate === null ? [] : [rateText(rate)]),
  ].join(', ');
}

/** Returns the time from the receipt of a feed to its end, or until now. */
export function durationOf({ received_at, finished_at }: Feed, now: number = Date.now()): string {
  const end = finished_at === null ? now : Date.parse(finished_at);
  return durationText(end - Date.parse(received_at));
}

/** Returns the speed of a feed in words. */
export function rateText(linesPerSecond: number): string {
  const isSlow = linesPerSecond < 10;
  return `${figure(isSlow ? Math.round(linesPerSecond * 10) / 10 : Math.round(linesPerSecond))} lines/s`;
}

/** Returns a duration in words, such as `1.2 s`, `3 min 5 s` or `2 h 10 min`. */
function durationText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 0.1) return '< 0.1 s';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
