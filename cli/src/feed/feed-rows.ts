import type { FeedLine } from '@brandport/client';
import { InputError } from '../errors/cli-error.ts';
import { type InputFile, type InputRow, inputRows } from '../input/input-rows.ts';
import { Problems } from '../input/problems.ts';
import { RowReader } from '../input/row-reader.ts';
import { readLevel } from '../sync/wanted/read-others.ts';

/** The columns of a stock feed. */
export const feedColumns = ['sku', 'location_code', 'quantity', 'reserved', 'updated_at'] as const;

/** Adds to a file the check that its first line names the columns of a feed. */
export function withFeedColumns(file: FeedFile): FeedFile {
  return { ...file, onColumns: (names) => assertFeedColumns(names, file) };
}

/** @throws InputError */
export function assertFeedColumns(names: readonly string[], file: FeedFile): void {
  const { columns = {}, location, path } = file;
  const missing = ['sku', 'quantity', ...(location === undefined ? ['location_code'] : [])].filter(
    (name) => !names.includes(columns[name as keyof typeof columns] ?? name),
  );
  if (missing.length > 0)
    throw new InputError(
      `${path}: the column ${missing.join(', ')} is missing. The first line names the columns; it has ${names.join(', ')}.`,
    );
}

export interface FeedFile extends InputFile {
  /** The names of the columns in the file, where they differ. */
  readonly columns?: { readonly [Column in (typeof feedColumns)[number]]?: string } | undefined;
  /** The location of rows that name none. */
  readonly location?: string | undefined;
}

/** A row under the names of a feed. */
export function renamedRow(row: InputRow, columns: FeedFile['columns'] = {}): InputRow {
  const renamed = new Map(Object.entries(columns).map(([column, name]) => [name, column]));
  const rename = (name: string) => renamed.get(name) ?? name;
  const values = Object.entries(row.values).map(([name, value]): [string, unknown] => [rename(name), value]);
  return { ...row, columns: row.columns.map(rename), values: Object.fromEntries(values) };
}

/** Reads the lines of a feed; other columns are ignored. @throws InputError for the first row that cannot be sent */
export async function* feedLines(file: FeedFile): AsyncGenerator<FeedLine, void, undefined> {
  for await (const row of inputRows(withFeedColumns(file))) {
    const problems = new Problems(1);
    const level = readLevel(new RowReader(renamedRow(row, file.columns), problems), file.location);
    const [problem] = problems.kept;
    if (problem !== undefined || level === null)
      throw new InputError(`${row.file}:${row.line}: ${problem?.message ?? 'it is not complete'}.`);
    const { sku, location, quantity, reserved, updatedAt } = level;
    yield {
      sku,
      location_code: location,
      quantity,
      ...(reserved !== undefined && { reserved }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    };
  }
}
