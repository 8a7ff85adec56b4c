import { type CountedType, type Counts, countedTypes, type Mean } from '../dataset-rows.ts';

/** A row as `pg` returns it: `bigint` as number, `numeric` and days as strings. */
export type DatasetRow = Readonly<Record<string, number | string | null>>;

export function numberOf(row: DatasetRow, column: string): number {
  return row[column] as number;
}

export function textOf(row: DatasetRow, column: string): string {
  return row[column] as string;
}

/** `<prefix>_sum` and `<prefix>_count`. */
export function meanOf(row: DatasetRow, prefix: string): Mean {
  return { sum: textOf(row, `${prefix}_sum`), count: numberOf(row, `${prefix}_count`) };
}

export function countsOf(row: DatasetRow, prefix = ''): Counts {
  return {
    views: numberOf(row, `${prefix}views`),
    completions: numberOf(row, `${prefix}completions`),
    successes: numberOf(row, `${prefix}successes`),
  };
}

export function byType<T>(make: (type: CountedType) => T): Record<CountedType, T> {
  return Object.fromEntries(countedTypes.map((type) => [type, make(type)])) as Record<CountedType, T>;
}

/** Returns the day in the only format that does not depend on a database setting. */
export const dayColumn = `to_char(day, 'YYYY-MM-DD') as day_text`;
