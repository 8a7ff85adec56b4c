import { type Day, dayOfNumber } from '../../day.ts';
import type { Counts, Mean } from '../dataset-rows.ts';

/** All rows as one string, or null if there are none. No value contains a comma or line feed: all are numbers and days. */
export interface PackedRows {
  readonly packed: string | null;
}

/** The values of a row in column order. Days and exact sums are strings. */
export type RowValues = readonly (number | string)[];

/**
 * Returns a query with the rows of a sorted query `rows` as one SQL value, for `unpackRows`. The columns hold days,
 * `_sum` columns (exact decimals) and non-negative integers, and none may be null. Days are sent as numbers, whose form
 * does not depend on database settings. Measured with 500 rows of 17 columns, from the reply to arrays: 0.1 ms of
 * Node's time instead of 0.4 ms with a value for each row and 1.9 ms with one for each column. `further`: columns that do
 * not depend on the rows.
 */
export function selectPacked(
  columns: readonly string[],
  rows: string,
  further: readonly string[] = [],
): string {
  const values = columns.map((column) => (column === 'day' ? `day - date '1970-01-01'` : column));
  const packed = `string_agg(concat_ws(',', ${values.join(', ')}), E'\\n') as packed`;
  return `select ${[packed, ...further].join(', ')} from (${rows}) as rows`;
}

/** Unpacks rows that were packed with the same columns. */
export function unpackRows([reply]: readonly PackedRows[], columns: readonly string[]): RowValues[] {
  const packed = reply?.packed ?? '';
  if (packed === '') return [];
  const days = new Map<string, Day>();
  const dayOf = (text: string): Day => {
    const known = days.get(text) ?? dayOfNumber(Number(text));
    days.set(text, known);
    return known;
  };
  const readers = columns.map((column) => {
    if (column === 'day') return dayOf;
    return column.endsWith('_sum') ? String : null;
  });
  return valuesOf(packed, readers);
}

const zero = 0x30;
const comma = 0x2c;
const lineFeed = 0x0a;

/** Reads the string once. Integers have no reader and are accumulated digit by digit. */
function valuesOf(packed: string, readers: readonly (((text: string) => string) | null)[]): RowValues[] {
  const rows: RowValues[] = [];
  let values: (number | string)[] = [];
  let start = 0;
  let integer = 0;
  for (let i = 0; i <= packed.length; i += 1) {
    const code = i === packed.length ? lineFeed : packed.charCodeAt(i);
    if (code >= zero) {
      integer = integer * 10 + (code - zero);
    } else if (code === comma || code === lineFeed) {
      const reader = readers[values.length];
      values.push(reader ? reader(packed.slice(start, i)) : integer);
      start = i + 1;
      integer = 0;
      if (code === lineFeed) {
        rows.push(values);
        values = [];
      }
    }
  }
  return rows;
}

/** The index of each column's value. */
export function positionsOf<Column extends string>(columns: readonly Column[]): Record<Column, number> {
  return Object.fromEntries(columns.map((column, position) => [column, position])) as Record<Column, number>;
}

export function numberAt(values: RowValues, position: number): number {
  return values[position] as number;
}

export function textAt(values: RowValues, position: number): string {
  return values[position] as string;
}

/** Reads a sum and the count that follows it. */
export function meanAt(values: RowValues, position: number): Mean {
  return { sum: textAt(values, position), count: numberAt(values, position + 1) };
}

/** Reads views, completions and successes, which are adjacent. */
export function countsAt(values: RowValues, position: number): Counts {
  return {
    views: numberAt(values, position),
    completions: numberAt(values, position + 1),
    successes: numberAt(values, position + 2),
  };
}
