import type { StockFeed } from '../generated/wire.ts';
import { type CsvOptions, csvLines } from './csv-lines.ts';
import type { TextSource } from './csv-records.ts';

export type FeedLine = StockFeed['lines'][number];

type Lines = Iterable<FeedLine> | AsyncIterable<FeedLine>;

/**
 * The lines of a feed, or CSV. What is an array, a string or a function can be read again: `failedLines` and `resubmit`
 * then have the lines as they were sent.
 */
export type FeedInput =
  | { readonly lines: Lines | (() => Lines); readonly csv?: undefined }
  | ({ readonly csv: TextSource | (() => TextSource); readonly lines?: undefined } & CsvOptions);

/** Returns the lines of an input from its beginning. */
export function linesOf(input: FeedInput): Lines {
  if (input.csv !== undefined)
    return csvLines(typeof input.csv === 'function' ? input.csv() : input.csv, input);
  return typeof input.lines === 'function' ? input.lines() : input.lines;
}

/** Returns whether the lines can be read more than once. */
export function isRereadable({ lines, csv }: FeedInput): boolean {
  const source: unknown = csv ?? lines;
  return (
    typeof source === 'function' ||
    typeof source === 'string' ||
    Array.isArray(source) ||
    source instanceof Uint8Array
  );
}
