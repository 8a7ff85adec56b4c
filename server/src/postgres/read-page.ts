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

/** A column of JSON rows: the SQL of its value. */
export interface JsonColumn<T> {
  readonly sql: string;
  /** Never set; carries the type of the value. */
  readonly value?: T;
}

type JsonColumns = Readonly<Record<string, JsonColumn<unknown>>>;

export type RowOf<C extends JsonColumns> = {
  readonly [Name in keyof C]: C[Name] extends JsonColumn<infer T> ? T : never;
};

/** The values of a column in the order of the rows. */
type ColumnValues = readonly unknown[];

/** Rows as PostgreSQL returns them: the values of each column, null in each if there are no rows. */
export type JsonRowsValue = readonly (ColumnValues | null)[];

/** A number below 2^53, a boolean, a string, a date or a `jsonb` value, as JSON has it. */
export function column<T>(sql: string): JsonColumn<T> {
  return { sql };
}

/** A finite timestamp with milliseconds, as milliseconds since the Unix epoch. `date_part` is exact for these. */
export function epochMs(sql: string): JsonColumn<number> {
  return { sql: `(date_part('epoch', ${sql}) * 1000)::bigint` };
}

/** A timestamp that may be null or `infinity`, as milliseconds since the Unix epoch. */
export function epochMsOrInfinity(sql: string): JsonColumn<number | 'Infinity' | null> {
  return { sql: `round(date_part('epoch', ${sql}) * 1000)` };
}

/** An exact decimal, as a string. */
export function exact(sql: string): JsonColumn<string> {
  return { sql: `(${sql})::text` };
}

export interface JsonRows<Row> {
  /** The select list of a subquery that yields the rows. */
  readonly columns: string;
  /** One row as one SQL value, for `readOne`. */
  readonly one: string;
  /** Returns the rows of a subquery with `columns`, in its order, as one SQL value for `read`. */
  aggregate(subquery: string): string;
  read(value: JsonRowsValue): Row[];
  readOne(value: ColumnValues): Row;
}

/**
 * Returns the SQL and the reader of rows that leave PostgreSQL as one JSON value, an array for each column [D94]: the driver's
 * time depends on the number of values, and PostgreSQL finds out how to write a column once instead of in each row.
 */
export function jsonRows<C extends JsonColumns>(columns: C): JsonRows<RowOf<C>> {
  const names = Object.keys(columns);
  const sqlOf = Object.values(columns).map(({ sql }) => sql);
  return {
    columns: names.map((name, position) => `${sqlOf[position]} as "${name}"`).join(', '),
    one: `json_build_array(${sqlOf.join(', ')})`,
    aggregate: (subquery) =>
      `(select json_build_array(${names.map((name) => `json_agg(rows."${name}")`).join(', ')}) from (${subquery}) as rows)`,
    // Plain loops: a page has 1,500 values.
    read: (value) => {
      const rows: Record<string, unknown>[] = [];
      for (let index = 0; index < (value[0]?.length ?? 0); index += 1) {
        const row: Record<string, unknown> = {};
        for (let at = 0; at < names.length; at += 1)
          row[names[at] as string] = (value[at] as ColumnValues)[index];
        rows.push(row);
      }
      return rows as RowOf<C>[];
    },
    readOne: (value) => {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at += 1) row[names[at] as string] = value[at];
      return row as RowOf<C>;
    },
  };
}
