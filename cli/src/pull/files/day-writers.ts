import { open } from 'node:fs/promises';
import type { ColumnValue, DatasetTable } from '../../columns/dataset-table.ts';
import { flatRowBatches } from './flat-row-batches.ts';
import { writeParquetDay } from './parquet-day.ts';

/** Writes the rows of a day, flat JSON objects by line (none for null), to a file. The same rows are the same bytes. */
export type DayWriter = (table: DatasetTable, rows: string | null, path: string) => Promise<void>;

export type FileFormat = 'parquet' | 'csv';

export const dayWriters: Readonly<Record<FileFormat, DayWriter>> = {
  parquet: writeParquetDay,
  csv: writeCsvDay,
};

const batchRows = 5_000;

/**
 * Writes a day as CSV (RFC 4180 with line feeds), with a line of names. Strings are always quoted and null is nothing at
 * all, so that an empty string differs from null. `extra` is JSON.
 */
async function writeCsvDay(table: DatasetTable, rows: string | null, path: string): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const file = await open(path, 'w');
  try {
    await file.appendFile(`${names.join(',')}\n`);
    for await (const batch of flatRowBatches(rows, batchRows)) {
      const lines = batch.map((row) => names.map((name) => csvField(row[name] ?? null)).join(','));
      await file.appendFile(`${lines.join('\n')}\n`);
    }
  } finally {
    await file.close();
  }
}

function csvField(value: ColumnValue): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}
