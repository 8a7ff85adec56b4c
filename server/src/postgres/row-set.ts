type Value = number | string | boolean | Date | null;

/** The columns of a set, each with its PostgreSQL type and its value of an item. */
export type SetColumns<T> = Readonly<Record<string, readonly [type: string, of: (item: T) => Value]>>;

/** Rows that a statement takes as parameters. */
export interface RowSet<T> {
  /** The rows, as an item of FROM with the alias `g`; the parameters are `$1` and following. */
  readonly sql: string;
  readonly names: readonly string[];
  /** Returns the parameters for some items. */
  values(items: readonly T[]): string[];
}

/**
 * Sends rows as an array for each column. Measured for 250 rows of 16 columns, in microseconds of PostgreSQL and of Node
 * for each: 4.3 and 0.5, as JSON objects 9.6 and 1.9. The subqueries hide the lengths from the planner: it always
 * estimates ten rows, and so looks rows up by index.
 */
export function rowSet<T>(columns: SetColumns<T>): RowSet<T> {
  const names = Object.keys(columns);
  const all = Object.values(columns);
  const arrays = all.map(([type], index) => `(select $${index + 1}::${type}[])`);
  return {
    sql: `unnest(${arrays.join(', ')}) as g (${names.join(', ')})`,
    names,
    values: (items) => all.map(([, of]) => `{${items.map((item) => elementOf(of(item))).join(',')}}`),
  };
}

const special = /["\\]/;

/** An element of an array in PostgreSQL's text form. */
function elementOf(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  return `"${special.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}
