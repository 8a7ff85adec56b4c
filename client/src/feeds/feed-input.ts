import { type CsvOptions, csvLines, type TextSource } from './csv.ts';
import type { FeedLine } from './feed-line.ts';

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

/** The limits of one feed. The service accepts bodies of 32 MiB. */
const partLimits: { readonly lines: number; readonly bytes: number } = {
  lines: 100_000,
  bytes: 30 * 1024 * 1024,
};

/** The lines of one feed as JSON. */
export interface FeedPart {
  /** The lines of all parts before. */
  readonly firstLine: number;
  readonly count: number;
  readonly json: string;
  readonly isLast: boolean;
}

/** Cuts lines into parts that the service accepts. Holds two parts in memory at most. */
export async function* feedParts(
  lines: Iterable<FeedLine> | AsyncIterable<FeedLine>,
  limits: typeof partLimits = partLimits,
): AsyncGenerator<FeedPart, void, undefined> {
  let texts: string[] = [];
  let bytes = 0;
  let firstLine = 0;
  const part = (isLast: boolean): FeedPart => {
    const one = { firstLine, count: texts.length, json: `[${texts.join(',')}]`, isLast };
    firstLine += texts.length;
    texts = [];
    bytes = 0;
    return one;
  };
  for await (const line of lines) {
    const text = JSON.stringify(line);
    const size = byteLength(text) + 1;
    if (texts.length === limits.lines || (texts.length > 0 && bytes + size > limits.bytes)) yield part(false);
    texts.push(text);
    bytes += size;
  }
  yield part(true);
}

function byteLength(text: string): number {
  // Most lines are ASCII.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with control characters.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}
