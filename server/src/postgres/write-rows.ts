import { type RowSet, rowSet, type SetColumns, singleRow } from './row-set.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** Rows that are written in one way. */
export interface RowWrite {
  /** Distinguishes the way from others. */
  readonly name: string;
  readonly count: number;
  /** Returns the SQL, whose parameters are `$first` and following. */
  readonly sqlFrom: (first: number, isSingle: boolean) => string;
  readonly values: (isSingle: boolean) => readonly unknown[];
}

export type RowWriter<T> = (rows: readonly T[]) => RowWrite;

/** Writes rows with the columns of a set. `sqlOf`: the SQL, in which `g` is the set, an item of FROM with the alias `g`. */
export function writer<T>(name: string, columns: SetColumns<T>, sqlOf: (g: string) => string): RowWriter<T> {
  const setFrom = (first: number, isSingle: boolean): RowSet<T> =>
    isSingle ? singleRow(columns, first) : rowSet(columns, first);
  const [many, one] = [setFrom(1, false), setFrom(1, true)];
  return (rows) => ({
    name,
    count: rows.length,
    sqlFrom: (first, isSingle) => sqlOf(setFrom(first, isSingle).sql),
    values: (isSingle) => (isSingle ? one : many).values(rows),
  });
}

/** Inserts rows, with their ids. */
export function insertion<T>(name: string, table: string, columns: SetColumns<T>): RowWriter<T> {
  const names = Object.keys(columns).join(', ');
  return writer(
    name,
    columns,
    (g) => `insert into ${table} (${names}) overriding system value select g.* from ${g}`,
  );
}

/** A table and the columns that identify its rows. */
export interface KeyedTable {
  readonly table: string;
  readonly key: readonly string[];
}

/**
 * Updates the columns that do not identify a row; each row occurs once. `newValue`: the SQL of a column's new value, from the row
 * `t` and that of the set, `g`. Each row is found by its key first ("offset 0"), so that the table is never scanned.
 */
export function update<T>(
  name: string,
  { table, key }: KeyedTable,
  columns: SetColumns<T>,
  newValue: (column: string) => string = (column) => `g.${column}`,
): RowWriter<T> {
  const changed = Object.keys(columns).filter((column) => !key.includes(column));
  const values = changed.map((column) => `${column} = ${newValue(column)}`).join(', ');
  const isRow = key.map((column) => `k.${column} = g.${column}`).join(' and ');
  return writer(
    name,
    columns,
    (g) =>
      `update ${table} t set ${values} from ${g}
       cross join lateral (select k.ctid as place from ${table} k where ${isRow} offset 0) k
       where t.ctid = k.place`,
  );
}

/** The text of each statement, by its name. */
const texts = new Map<string, string>();

/**
 * Writes rows in several ways with one statement, whose parts do not see what the others write; foreign keys are checked at its
 * end. Single rows are sent without the ways that have none; of more rows, one statement fits all. Sent with the next statement.
 */
export function writeRows(tx: Transaction, writes: readonly RowWrite[]): void {
  const most = Math.max(...writes.map(({ count }) => count));
  if (most === 0) return;
  const isSingle = most === 1;
  const present = writes.filter(({ count }) => !isSingle || count === 1);
  const name = `write${isSingle ? '_one' : ''}_${present.map((write) => write.name).join('_')}`;
  const text = texts.get(name) ?? textOf(present, isSingle);
  texts.set(name, text);
  tx.queue(
    statement<never>(
      name,
      text,
      present.flatMap(({ values }) => values(isSingle)),
    ),
  );
}

function textOf(writes: readonly RowWrite[], isSingle: boolean): string {
  let first = 1;
  const parts = writes.map(({ sqlFrom, values }) => {
    const sql = sqlFrom(first, isSingle);
    first += values(isSingle).length;
    return sql;
  });
  const last = parts.pop() as string;
  const named = parts.map((sql, n) => `part_${n} as (${sql})`);
  return named.length === 0 ? last : `with ${named.join(', ')}\n${last}`;
}
