import { BrandportError } from '../errors/brandport-error.ts';

/** Text or bytes in UTF-8, whole or in chunks that may end anywhere. */
export type TextSource =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

export interface CsvRecord {
  /** The line of the file on which the record begins, counting from 1. */
  readonly line: number;
  readonly values: readonly string[];
}

/**
 * Parses CSV by RFC 4180 while it is read: quoted values may hold delimiters, doubled quotes and line breaks. Lines end
 * with CRLF, LF or CR; empty lines are skipped, and so is a byte order mark.
 * @throws BrandportError `csv_invalid` with the line
 */
export async function* csvRecords(
  source: TextSource,
  delimiter: string,
): AsyncGenerator<CsvRecord, void, undefined> {
  if (delimiter.length !== 1 || '"\r\n'.includes(delimiter))
    throw new TypeError('The delimiter of CSV is one character.');
  const parser = new CsvParser(delimiter);
  for await (const text of decoded(source)) yield* parser.parse(text);
  yield* parser.end();
}

/** @throws BrandportError `csv_invalid` */
export function failCsv(line: number, problem: string): never {
  throw new BrandportError({ code: 'csv_invalid', message: `Line ${line} of the CSV: ${problem}` });
}

class CsvParser {
  readonly #delimiter: string;
  #state: 'start of value' | 'plain' | 'quoted' | 'after quote' = 'start of value';
  #values: string[] = [];
  #value = '';
  #line = 1;
  #recordLine = 1;
  #isAfterCr = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  *parse(text: string): Generator<CsvRecord> {
    for (const char of text) {
      const isSecondHalf = char === '\n' && this.#isAfterCr;
      this.#isAfterCr = char === '\r';
      if ((char === '\n' || char === '\r') && !isSecondHalf) this.#line += 1;
      if (this.#state === 'quoted') {
        if (char === '"') this.#state = 'after quote';
        else this.#value += char;
      } else if (char === '"') this.#quote();
      else if (char === this.#delimiter) this.#endValue();
      else if (char === '\n' || char === '\r') {
        if (!isSecondHalf) yield* this.#endRecord();
      } else {
        if (this.#state === 'after quote')
          failCsv(this.#recordLine, 'A value continues after its closing quote.');
        this.#state = 'plain';
        this.#value += char;
      }
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') failCsv(this.#recordLine, 'A quoted value has no closing quote.');
    yield* this.#endRecord();
  }

  #quote(): void {
    if (this.#state === 'plain') failCsv(this.#recordLine, 'A quote is inside of a value without quotes.');
    // A doubled quote is one character of the value.
    if (this.#state === 'after quote') this.#value += '"';
    this.#state = 'quoted';
  }

  #endValue(): void {
    this.#values.push(this.#value);
    this.#value = '';
    this.#state = 'start of value';
  }

  *#endRecord(): Generator<CsvRecord> {
    const isEmpty = this.#state === 'start of value' && this.#values.length === 0;
    const line = this.#recordLine;
    this.#recordLine = this.#line;
    if (isEmpty) return;
    this.#endValue();
    const values = this.#values;
    this.#values = [];
    yield { line, values };
  }
}

async function* decoded(source: TextSource): AsyncGenerator<string, void, undefined> {
  const chunks = typeof source === 'string' || source instanceof Uint8Array ? [source] : source;
  // Removes the byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decode(() => decoder.decode(chunk, { stream: true }));
    yield isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst &&= text === '';
  }
  yield decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw new BrandportError({ code: 'csv_invalid', message: 'The CSV is not valid UTF-8.' });
  }
}
