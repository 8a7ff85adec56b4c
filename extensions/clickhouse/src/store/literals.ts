import { type Day, type DayRange, dayNumberOf, daysOf } from '../../../../server/src/analytics/day.ts';

// Parts of statements, from numbers and days only.

/**
 * An SQL expression for the number of a batch or generation: milliseconds since 2025 and 13 bits of the transaction's id, so
 * that two transactions never have the same, also after a restore, and the number tells its age. Fits a JavaScript number
 * until 2059.
 */
export const writeNumber = (at = 'clock_timestamp()') =>
  `((floor(extract(epoch from ${at}) * 1000)::bigint - 1735689600000) * 8192 + pg_current_xact_id()::text::bigint % 8192)`;

/** A list of integers in brackets. An empty list would be a syntax error, so it holds a value that no column has. */
export function listOf(numbers: readonly number[]): string {
  return `(${numbers.length === 0 ? 'NULL' : numbers.map(integer).join(', ')})`;
}

export function integer(number: number): string {
  if (!Number.isSafeInteger(number)) throw new Error(`not an integer: ${number}`);
  return String(number);
}

/** An expression for the number that belongs to the value of a column; 0 for other values. */
export function numberFor(column: string, values: readonly number[], numbers: readonly number[]): string {
  const array = (all: readonly number[]) => `'[${all.map(integer).join(',')}]'::Array(Int64)`;
  return `transform(toInt64(${column}), ${array(values)}, ${array(numbers)}, toInt64(0))`;
}

/** The month of a day as `YYYYMM`, which is the partition of its rows. */
export function monthOf(day: Day): number {
  return Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));
}

/** A condition on the columns `month` and `day`: months are partitions, so others are not opened. */
export function within({ from, to }: DayRange): string {
  return `month between ${monthOf(from)} and ${monthOf(to)} and day between ${dayNumberOf(from)} and ${dayNumberOf(to)}`;
}

/** An expression for the month of a day column, whose value is in the range. */
export function monthOfColumn(column: string, range: DayRange): string {
  if (monthOf(range.from) === monthOf(range.to)) return `toInt32(${monthOf(range.from)})`;
  const days = daysOf(range);
  return `toInt32(transform(${column}, [${days.map(dayNumberOf).join(', ')}], [${days.map(monthOf).join(', ')}], 0))`;
}

/** Memory for the groups of a statement. */
const groupBytes = 1_000_000_000;

/** Ends a statement that groups by the keys of a dataset. A brand may have any number of them: more than fit go to disk. */
export const groupedOnDisk = `settings max_bytes_before_external_group_by = ${groupBytes}`;
