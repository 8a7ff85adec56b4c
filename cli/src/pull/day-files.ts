import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnType, ColumnValue, DatasetTable } from '../columns/datasets.ts';
import type { FlatRow } from '../columns/flat-rows.ts';
import { jsonLines } from '../input/input-rows.ts';

/** Writes the rows of a day, flat JSON objects by line (none for null), to a file. The same rows are the same bytes. */
export type DayWriter = (table: DatasetTable, rows: string | null, path: string) => Promise<void>;

export type FileFormat = 'parquet' | 'csv';

export const dayWriters: Readonly<Record<FileFormat, DayWriter>> = {
  parquet: writeParquetDay,
  csv: writeCsvDay,
};

/**
 * Writes a day as CSV (RFC 4180 with line feeds), with a line of names. Strings are always quoted and null is nothing at
 * all, so that an empty string differs from null. `extra` is JSON.
 */
async function writeCsvDay(table: DatasetTable, rows: string | null, path: string): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const file = await open(path, 'w');
  try {
    await file.appendFile(`${names.join(',')}\n`);
    for await (const batch of flatRowBatches(rows, 5_000)) {
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

/** Rows of a row group: bounds the memory of a day of any size. */
const groupRows = 50_000;

interface ParquetType extends Pick<SchemaElement, 'type' | 'converted_type'> {
  /** Converts a value that is not null to what the writer expects. */
  convert(value: ColumnValue): unknown;
}

const same = (value: ColumnValue) => value;

const parquetTypes: Readonly<Record<ColumnType, ParquetType>> = {
  date: { type: 'INT32', converted_type: 'DATE', convert: (value) => new Date(`${value}T00:00:00Z`) },
  integer: { type: 'INT64', convert: (value) => BigInt(value as number) },
  number: { type: 'DOUBLE', convert: same },
  boolean: { type: 'BOOLEAN', convert: same },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', convert: same },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', convert: same },
};

/** Writes a day as Parquet: Snappy, every column but `date` optional, without times or versions of programs. */
async function writeParquetDay(table: DatasetTable, rows: string | null, path: string): Promise<void> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: parquetSchema(table),
    createdBy: 'brandport',
  });
  for await (const batch of flatRowBatches(rows, groupRows))
    await writer.write({ columnData: columnData(table, batch), rowGroupSize: groupRows });
  await writer.finish();
}

function parquetSchema({ columns }: DatasetTable): SchemaElement[] {
  const elements = columns.map(({ name, type }): SchemaElement => {
    const { convert, ...physical } = parquetTypes[type];
    return { name, ...physical, repetition_type: name === 'date' ? 'REQUIRED' : 'OPTIONAL' };
  });
  return [{ name: 'root', num_children: elements.length }, ...elements];
}

function columnData({ columns }: DatasetTable, batch: readonly FlatRow[]) {
  return columns.map(({ name, type }) => {
    const { convert } = parquetTypes[type];
    const data = batch.map((row) => {
      const value = row[name] ?? null;
      return value === null ? null : convert(value);
    });
    return { name, data };
  });
}

/** Reads rows, a JSON object each line, in batches of at most `size`. */
export async function* flatRowBatches(
  path: string | null,
  size: number,
): AsyncGenerator<FlatRow[], void, undefined> {
  if (path === null) return;
  let batch: FlatRow[] = [];
  for await (const line of jsonLines(createReadStream(path))) {
    batch.push(JSON.parse(line));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
