import { BrandportError } from '../errors.ts';
import { isTrimmed } from '../generated/text.ts';
import { bodyProblems } from '../validation.ts';
import type { FeedLine } from './feed-line.ts';

/** The values of a column. */
export type CellType = 'text' | 'number' | 'integer' | 'boolean';

/**
 * Returns the value of a cell of CSV, without the white space around it, which the service refuses in SKUs and codes; undefined
 * for an empty cell. What is no number, or neither true nor false, stays a string, so that `bodyProblems` names it. So does
 * what may have a separator of thousands [D302]: `1.234` of a number, and any but `3.0` of an integer.
 * @param decimal the character before the decimal places
 */
export function cellValue(
  text: string,
  type: CellType = 'text',
  decimal: '.' | ',' = '.',
): string | number | boolean | undefined {
  const value = trimmed(text);
  if (value === '') return undefined;
  if (type === 'text') return value;
  if (type === 'boolean') {
    if (/^(true|yes|1)$/i.test(value)) return true;
    return /^(false|no|0)$/i.test(value) ? false : value;
  }
  const [, sign, whole, places] = /^([+-]?)(\d+)(?:[.,](\d+))?$/.exec(value) ?? [];
  const isRead = type === 'integer' ? isInteger(places, value) : isPlainNumber(whole, places);
  const isNumber =
    whole !== undefined &&
    (places === undefined || (isRead && (type === 'integer' || value.includes(decimal))));
  return isNumber ? Number(`${sign}${whole}.${places ?? 0}`) : value;
}

/** Places other than zeros, as in `3.0`, may be thousands, or pieces of a thing. */
function isInteger(places = '', value = ''): boolean {
  return value.includes('.') && /^0+$/.test(places) && places.length !== 3;
}

/** Three digits behind the only separator may be thousands, unless the ones before it cannot begin a number of thousands. */
function isPlainNumber(whole = '', places = ''): boolean {
  return places.length !== 3 || whole.length > 3 || whole.startsWith('0');
}

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && !isTrimmed(text.charAt(start))) start += 1;
  while (end > start && !isTrimmed(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The columns of a stock feed. */
export type FeedColumn = 'sku' | 'location_code' | 'quantity' | 'reserved' | 'updated_at';

export interface CsvOptions {
  /** The names of the columns in the first line, where they differ; other columns are ignored. */
  readonly columns?: { readonly [Column in FeedColumn]?: string | undefined } | undefined;
  /** Default: `,`. */
  readonly delimiter?: string | undefined;
  /** The location of all lines, if the file has no such column. */
  readonly locationCode?: string | undefined;
}

/**
 * Reads the lines of a stock feed from CSV with a line of names. White space around values is left out.
 * @throws BrandportError `csv_invalid` with the line of the file and the column that the service would refuse
 */
export async function* csvLines(
  source: TextSource,
  options: CsvOptions = {},
): AsyncGenerator<FeedLine, void, undefined> {
  const { columns = {}, delimiter = ',', locationCode } = options;
  let names: readonly string[] | null = null;
  const nameOf = (column: FeedColumn) => columns[column] ?? column;
  for await (const { line, values } of csvRecords(source, delimiter)) {
    if (names === null) {
      names = values.map((name) => name.trim());
      const needed: FeedColumn[] =
        locationCode === undefined ? ['sku', 'location_code', 'quantity'] : ['sku', 'quantity'];
      for (const column of needed)
        if (!names.includes(nameOf(column))) failCsv(line, `The column "${nameOf(column)}" is missing.`);
      continue;
    }
    if (values.length !== names.length)
      failCsv(line, `It has ${values.length} values, and the first line has ${names.length}.`);
    const known = names;
    const cell = (column: FeedColumn, type: 'text' | 'integer' = 'text') =>
      cellValue(values[known.indexOf(nameOf(column))] ?? '', type);
    const reserved = cell('reserved', 'integer');
    const updatedAt = cell('updated_at');
    const feedLine = {
      sku: cell('sku'),
      location_code: locationCode ?? cell('location_code'),
      quantity: cell('quantity', 'integer'),
      ...(reserved !== undefined && { reserved }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    };
    const [problem] = bodyProblems('FeedLine', feedLine);
    if (problem !== undefined) failCsv(line, `${nameOf(problem.path[0] as FeedColumn)} ${problem.message}.`);
    yield feedLine as FeedLine;
  }
  if (names === null) failCsv(1, 'It is empty.');
}

/** Text or bytes in UTF-8, whole or in chunks that may end anywhere. */
export type TextSource =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

interface CsvRecord {
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
function failCsv(line: number, problem: string): never {
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
