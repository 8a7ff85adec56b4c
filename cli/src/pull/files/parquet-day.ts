import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnType, ColumnValue, DatasetTable } from '../../columns/dataset-table.ts';
import type { FlatRow } from '../../columns/flat-rows.ts';
import { flatRowBatches } from './flat-row-batches.ts';

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
export async function writeParquetDay(table: DatasetTable, rows: string | null, path: string): Promise<void> {
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
