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
