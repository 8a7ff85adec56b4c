import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { projectDir } from '../support/server-process.ts';

/** A row by the names of the columns. */
export type CsvRow = Readonly<Record<string, string>>;

/** A published data set. */
export interface DataSet {
  /** true: the rows are those of the excerpt. */
  readonly isExcerpt: boolean;
  bytes(file: string): Promise<Uint8Array>;
  rows(file: string): Promise<CsvRow[]>;
}

/**
 * Finds the folder of a data set: in `BRANDPORT_REAL_DATA`, else in `../shared/data` next to the project, else the
 * excerpt in this folder.
 */
export function findDataSet(name: string): DataSet {
  const places = [
    process.env['BRANDPORT_REAL_DATA'] || join(projectDir, '../shared/data'),
    join(import.meta.dirname, 'excerpt'),
  ];
  const dir = places.find((place) => existsSync(join(place, name)));
  if (dir === undefined) throw new Error(`${name} is in none of ${places.join(', ')}`);
  const bytes: DataSet['bytes'] = async (file) => {
    const stored = await readFile(join(dir, name, file));
    return file.endsWith('.gz') ? gunzipSync(stored) : stored;
  };
  return {
    isExcerpt: dir === places[1],
    bytes,
    rows: async (file) => parse<Record<string, string>>(await bytes(file), { columns: true, bom: true }),
  };
}

/** The cell of a row. @throws Error if it is missing or empty */
export function cellOf(row: CsvRow, column: string): string {
  const text = row[column];
  if (text === undefined || text === '') throw new Error(`no ${column} in ${JSON.stringify(row)}`);
  return text;
}
