import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { DataSet } from './data-sets/data-set.ts';
import { describeOrigins } from './data-sets/origins.ts';
import { DemoError } from './demo-error.ts';

/** Next to the project: `../shared/data`. */
export const defaultDataDir = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** Excerpts of the data sets whose licence allows it; `NOTICE.md` in it names them. */
export const excerptDir = fileURLToPath(new URL('./excerpt', import.meta.url));

/** The missing files of the data sets, as absolute paths. */
export function missingFiles(dataDir: string, dataSets: readonly DataSet[]): string[] {
  return dataSets
    .flatMap(({ name, files }) => files.map((file) => join(dataDir, name, file)))
    .filter((path) => !existsSync(path));
}

/** @throws DemoError that lists every missing file and explains how to set the location of the data */
export function requireFiles(dataDir: string, dataSets: readonly DataSet[]): void {
  const missing = missingFiles(dataDir, dataSets);
  if (missing.length === 0) return;
  const list = missing.map((path) => `  ${path}`).join('\n');
  const advice = `Name the folder that holds the data sets with --data <dir> or BRANDPORT_REAL_DATA. They are published:`;
  const incomplete = dataSets.filter((dataSet) => missingFiles(dataDir, [dataSet]).length > 0);
  const origins = describeOrigins(incomplete.map(({ name }) => name));
  throw new DemoError(`Not found:\n${list}\n${advice}\n\n${origins}`, 2);
}

/** The bytes of a file; one whose name ends in `.gz` is unpacked. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return path.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes;
}

/** The text of a file, which is UTF-8; one whose name ends in `.gz` is unpacked. */
export async function readText(path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(path));
}

/** The documents of a file with one JSON document per line. */
export async function readJsonLines<T>(path: string): Promise<T[]> {
  const lines = (await readText(path)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}

/** A row by the column names in the first line. A missing cell is undefined, an empty one ''. */
export type CsvRow = Partial<Record<string, string>>;

export async function readCsv(path: string): Promise<CsvRow[]> {
  return rowsOfCsv(await readText(path));
}

export function rowsOfCsv(text: string): CsvRow[] {
  return parse<Record<string, string>>(text, { columns: true, bom: true });
}

/**
 * Like `readCsv`, but keeps only the result of `read` for each row, and stops after the given number of rows; null =
 * all.
 */
export async function readCsvAs<T>(
  path: string,
  maxRows: number | null,
  read: (row: CsvRow) => T,
): Promise<T[]> {
  const text = await readText(path);
  const to = maxRows ?? Number.MAX_SAFE_INTEGER;
  return parse(text, { columns: true, bom: true, to, on_record: read }) as unknown as T[];
}

/** @throws DemoError for a cell that is missing or empty. */
export function cellOf(row: CsvRow, name: string, file: string): string {
  const value = row[name];
  if (value === undefined || value === '') throw new DemoError(`${file}: a row has no ${name}`);
  return value;
}
