import { copyFile, writeFile } from 'node:fs/promises';
import type { DatasetTable } from '../../columns/dataset-table.ts';
import { writeCsvDay } from './csv-day.ts';
import { writeParquetDay } from './parquet-day.ts';

/** Writes the rows of a day, flat JSON objects by line (none for null), to a file. The same rows are the same bytes. */
export type DayWriter = (table: DatasetTable, rows: string | null, path: string) => Promise<void>;

export type FileFormat = 'parquet' | 'csv' | 'jsonl';

export const dayWriters: Readonly<Record<FileFormat, DayWriter>> = {
  parquet: writeParquetDay,
  csv: writeCsvDay,
  jsonl: writeJsonlDay,
};

/** Writes a day as JSON, a flat object each line. */
async function writeJsonlDay(_table: DatasetTable, rows: string | null, path: string): Promise<void> {
  if (rows === null) await writeFile(path, '');
  else await copyFile(rows, path);
}
