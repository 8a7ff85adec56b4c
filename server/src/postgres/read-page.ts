import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

export interface PagedRows {
  /** Names the statements: `list_<name>` and `count_<name>`. */
  readonly name: string;
  readonly columns: string;
  /** The tables, as in the `from` clause. */
  readonly from: string;
  readonly where: Conditions;
  readonly orderBy: string;
  /** See `Statement`. Default: true. */
  readonly long?: boolean;
}

/** Reads one page of the rows that match, and the number of all that match. */
export async function readPage<Row>(
  database: Queryable,
  { name, columns, from, where, orderBy, long = true }: PagedRows,
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const matches = `from ${from}${where.sql === '' ? '' : ` where ${where.sql}`}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const list = `select ${columns} ${matches} order by ${orderBy} ${limit}`;
  const count = `select count(*) as total ${matches}`;
  const [rows, counts] = await Promise.all([
    database.run(statement<Row>(`list_${name}`, list, where.values, { long })),
    database.run(statement<{ total: number }>(`count_${name}`, count, values, { long })),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** Folds the case of a string for comparisons: ICU knows all alphabets, regardless of the locale of the database. */
export function foldedSql(text: string): string {
  return `lower(${text} collate "und-x-icu")`;
}

/** Optional conditions. Each combination is a separate statement, named by its `code`, so that PostgreSQL plans each. */
export class Conditions {
  readonly values: unknown[];
  readonly #conditions: string[];
  #code = '';

  /** `always`: conditions that every combination has, with their values from `$1` on. */
  constructor(always: readonly string[], values: readonly unknown[]) {
    this.#conditions = [...always];
    this.values = [...values];
  }

  get code(): string {
    return this.#code;
  }

  /** All conditions, connected by `and`; empty when there are none. */
  get sql(): string {
    return this.#conditions.join(' and ');
  }

  /** Adds a condition on `value` and returns its parameter; does nothing and returns null when `value` is undefined. */
  add(code: string, condition: (parameter: string) => string, value: unknown): string | null {
    if (value === undefined) return null;
    const parameter = this.parameter(value);
    this.#conditions.push(condition(parameter));
    this.#code += code;
    return parameter;
  }

  /** Narrows the rows to some brands; null: all. Returns the parameter, or null. */
  addBrands(column: string, brandIds: readonly number[] | null): string | null {
    return this.add(
      '_of_brands',
      (parameter) => `${column} = any(${parameter}::integer[])`,
      brandIds ?? undefined,
    );
  }

  addFixed(code: string, condition: string): void {
    this.#conditions.push(condition);
    this.#code += code;
  }

  /** Adds a value that belongs to no condition, and returns its parameter. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
