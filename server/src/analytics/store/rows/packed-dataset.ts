import { type Positions, packed, packRows, type UnpackedRow } from '../../../postgres/packed-rows.ts';
import type { Counts, Mean } from '../dataset-rows.ts';

export type ColumnPositions<Name extends string> = Readonly<Record<Name, number>>;

export interface PackedDataset<Row> {
  readonly columns: readonly string[];
  readonly sql: string;
  read(text: string): Row[];
}

/**
 * Packs days, `_sum` columns (exact decimals, as strings) and counts, none of them null. With 500 rows of 17 columns, Node's
 * time is 0.1 ms instead of 0.4 ms with a value for each row and 1.9 ms with one for each column.
 */
export function packDataset<Name extends string, Row>(
  columns: readonly Name[],
  rowOf: (row: UnpackedRow, at: ColumnPositions<Name>) => Row,
): PackedDataset<Row> {
  const { sql, at, unpack } = packRows(Object.fromEntries(columns.map((name) => [name, columnOf(name)])));
  const positions = at as Positions<Record<Name, ReturnType<typeof columnOf>>> as ColumnPositions<Name>;
  return { columns, sql, read: (text) => unpack(text).map((row) => rowOf(row, positions)) };
}

function columnOf(name: string) {
  if (name === 'day') return packed.date(name);
  return name.endsWith('_sum') ? packed.code(name) : packed.number(name);
}

export function numberAt(row: UnpackedRow, position: number): number {
  return row[position] as number;
}

export function textAt(row: UnpackedRow, position: number): string {
  return row[position] as string;
}

/** Reads a sum and the count that follows it. */
export function meanAt(row: UnpackedRow, position: number): Mean {
  return { sum: textAt(row, position), count: numberAt(row, position + 1) };
}

/** Reads views, completions and successes, which are adjacent. */
export function countsAt(row: UnpackedRow, position: number): Counts {
  return {
    views: numberAt(row, position),
    completions: numberAt(row, position + 1),
    successes: numberAt(row, position + 2),
  };
}
