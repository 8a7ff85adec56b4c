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

/** Reads an input again, next to its report: both are in the same order. */
export class OriginalLines {
  readonly #lines: AsyncGenerator<FeedLine, void, undefined>;
  #next = 0;

  constructor(input: FeedInput) {
    const lines = linesOf(input);
    this.#lines = (async function* () {
      yield* lines;
    })();
  }

  /** Returns the line at a place that is not before an earlier one; null if the input has become shorter. */
  async at(place: number): Promise<FeedLine | null> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) return null;
      this.#next += 1;
      if (this.#next > place) return value;
    }
  }

  /** Closes the input. */
  async end(): Promise<void> {
    await this.#lines.return();
  }
}

export type FeedSubmission = FeedInput & {
  /** The system that sends the feed; shown in the report. */
  readonly source: string;
  /**
   * Identifies the feed: sent again with the same id, it is not applied again. Derive it from the export, such as its
   * file name and date, and a process that died can submit the same file once more. Default: random.
   */
  readonly batchId?: string | undefined;
};
