import type { ResponseOf } from '../../api/call.ts';
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

/** The lines on a page of a feed. */
export const linesPerPage = 50;

/** Returns the page of all lines of a feed that has the line, counted from 0; the first page is left out of addresses. */
export function pageOfLine(line: number): number | undefined {
  const page = Math.floor(line / linesPerPage) + 1;
  return page === 1 ? undefined : page;
}
