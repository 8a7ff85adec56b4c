import { bodyProblems } from '../validation.ts';
import { cellValue } from './cell-value.ts';
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
    const cell = (column: FeedColumn, type: 'text' | 'number' = 'text') =>
      cellValue(values[known.indexOf(nameOf(column))] ?? '', type);
    const reserved = cell('reserved', 'number');
    const updatedAt = cell('updated_at');
    const feedLine = {
      sku: cell('sku'),
      location_code: locationCode ?? cell('location_code'),
      quantity: cell('quantity', 'number'),
      ...(reserved !== undefined && { reserved }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    };
    const [problem] = bodyProblems('FeedLine', feedLine);
    if (problem !== undefined) failCsv(line, `${nameOf(problem.path[0] as FeedColumn)} ${problem.message}.`);
    yield feedLine as FeedLine;
  }
  if (names === null) failCsv(1, 'It is empty.');
}
