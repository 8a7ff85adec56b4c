import type { Database } from './database.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** An object other than a date is the value of a `jsonb` column. */
export type Value = number | string | boolean | object | null;

/** The columns of a set, each with its PostgreSQL type and its value of an item. */
export type SetColumns<T> = Readonly<Record<string, readonly [type: string, of: (item: T) => Value]>>;

/** Rows that a statement takes as parameters. */
export interface RowSet<T> {
  /** The rows, as an item of FROM with the alias `g`; the parameters are `$1` and following, or `$first`. */
  readonly sql: string;
  readonly names: readonly string[];
  /** Returns the parameters for some items. */
  values(items: readonly T[]): unknown[];
}

/**
 * Sends rows as an array for each column: in PostgreSQL and Node, a row costs half of what it does as a JSON object. The
 * subqueries hide the lengths from the planner, which always estimates ten rows, and so looks rows up by index.
 */
export function rowSet<T>(columns: SetColumns<T>, first = 1): RowSet<T> {
  const names = Object.keys(columns);
  const all = Object.values(columns);
  const arrays = all.map(([type], index) => `(select $${first + index}::${type}[])`);
  return {
    sql: `unnest(${arrays.join(', ')}) as g (${names.join(', ')})`,
    names,
    values: (items) => all.map(([, of]) => `{${items.map((item) => elementOf(of(item))).join(',')}}`),
  };
}

/** The same for exactly one row, which costs PostgreSQL half as much: its values are those of the statement. */
export function singleRow<T>(columns: SetColumns<T>, first = 1): RowSet<T> {
  const names = Object.keys(columns);
  const all = Object.values(columns);
  const values = all.map(([type], index) => `$${first + index}::${type} as ${names[index]}`);
  return {
    sql: `(select ${values.join(', ')}) as g`,
    names,
    values: ([item]) => all.map(([, of]) => parameterOf(of(item as T))),
  };
}

/** In UTC: the driver's own text of a date takes ten times as long. */
function parameterOf(value: Value): Value {
  return value instanceof Date ? value.toISOString() : value;
}

const special = /["\\]/;

/** An element of an array in PostgreSQL's text form. */
function elementOf(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${special.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

export interface DoomedRows {
  /** The name of the statement. */
  readonly name: string;
  readonly table: string;
  readonly where: string;
  /** Those that are deleted first. */
  readonly orderBy: string;
  readonly values: readonly unknown[];
}

/** Deletes up to `limit` rows and returns their number; less: none are left. Skips rows that are being deleted. */
export async function deleteRows(
  tx: Transaction,
  { name, table, where, orderBy, values }: DoomedRows,
  limit: number,
): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      name,
      `with old as (
         select ctid from ${table} where ${where}
         order by ${orderBy} limit $${values.length + 1} for update skip locked
       ), gone as (
         delete from ${table} t using old where t.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [...values, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}

const batchRows = 5_000;

/** Deletes all rows that match, in transactions of 5,000, and returns their number. Safe to run concurrently. */
export async function deleteAllRows(database: Database, doomed: DoomedRows): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await database.transaction((tx) => deleteRows(tx, doomed, batchRows));
    total += deleted;
    if (deleted < batchRows) return total;
  }
}
