import { csvRecords, failCsv, type TextSource } from './csv-records.ts';
import type { FeedLine } from './feed-input.ts';

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
 * Reads the lines of a stock feed from CSV with a line of names.
 * @throws BrandportError `csv_invalid` with the line of the file
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
    const textOf = (column: FeedColumn) => values[known.indexOf(nameOf(column))] ?? '';
    yield feedLine(line, textOf, locationCode);
  }
  if (names === null) failCsv(1, 'It is empty.');
}

function feedLine(line: number, textOf: (column: FeedColumn) => string, locationCode?: string): FeedLine {
  const reserved = textOf('reserved').trim();
  const updatedAt = textOf('updated_at').trim();
  return {
    sku: textOf('sku'),
    location_code: locationCode ?? textOf('location_code'),
    quantity: integer(line, 'quantity', textOf('quantity').trim()),
    ...(reserved !== '' && { reserved: integer(line, 'reserved', reserved) }),
    ...(updatedAt !== '' && { updated_at: updatedAt }),
  };
}

function integer(line: number, column: FeedColumn, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) failCsv(line, `"${text.slice(0, 40)}" is not an integer (${column}).`);
  return Number(text);
}
