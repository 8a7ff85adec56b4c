import { type JsonColumn, column as jsonColumn } from './json-rows.ts';
import type { SetColumns, Value } from './row-set.ts';

export interface Column {
  readonly column: string;
  readonly sqlType: string;
}

type ColumnsOf<Fields> = { readonly [F in keyof Fields]: Column };

/** The columns of a table that are read and written together, with the SQL that names them. */
export interface ColumnList<Fields> {
  readonly fieldNames: readonly (keyof Fields & string)[];
  /** The columns, in the order of the fields. */
  readonly columns: readonly Column[];
  /** The columns of a table, such as `l.quantity, l.reserved`; without an alias: `quantity, reserved`. */
  list(alias?: string): string;
  /** Returns the columns of a table for JSON rows, by field. */
  jsonColumns(alias: string): { readonly [F in keyof Fields]: JsonColumn<Fields[F]> };
  /** Returns the columns of a set of rows, each with the fields that `of` returns. */
  setColumns<T>(of: (item: T) => Fields): SetColumns<T>;
  /** Parameters for the columns, such as `$3, $4`, of which the first has this number. */
  placeholders(first: number): string;
  /** The columns with their parameters, such as `quantity = $3, reserved = $4`. */
  assignments(first: number): string;
  /** Returns the values of the columns, in their order. */
  valuesOf(fields: Fields): unknown[];
  rowOf(fields: Fields): Record<string, unknown>;
  /** Returns the values of columns by field. Absent ones stay absent, unknown ones are dropped. */
  fieldsOf(row: Readonly<Record<string, unknown>>): Partial<Fields>;
}

/** Returns the list of the columns of fields, which is the only place that names them. */
export function columnList<Fields>(columns: ColumnsOf<Fields>): ColumnList<Fields> {
  const fieldNames = Object.keys(columns) as (keyof Fields & string)[];
  const names = fieldNames.map((field) => columns[field].column);
  return {
    fieldNames,
    columns: fieldNames.map((field) => columns[field]),
    list: (alias) => names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', '),
    jsonColumns: (alias) =>
      Object.fromEntries(
        fieldNames.map((field) => [field, jsonColumn(`${alias}.${columns[field].column}`)]),
      ) as { readonly [F in keyof Fields]: JsonColumn<Fields[F]> },
    setColumns: <T>(of: (item: T) => Fields) =>
      Object.fromEntries(
        fieldNames.map((field) => {
          const { column, sqlType } = columns[field];
          return [column, [sqlType, (item: T) => of(item)[field] as Value] as const];
        }),
      ),
    placeholders: (first) => names.map((_, index) => `$${first + index}`).join(', '),
    assignments: (first) => names.map((name, index) => `${name} = $${first + index}`).join(', '),
    valuesOf: (fields) => fieldNames.map((field) => fields[field]),
    rowOf: (fields) => {
      const row: Record<string, unknown> = {};
      for (const field of fieldNames) row[columns[field].column] = fields[field];
      return row;
    },
    fieldsOf: (row) => {
      const fields: Partial<Fields> = {};
      for (const field of fieldNames) {
        const value = row[columns[field].column];
        if (value !== undefined) fields[field] = value as Fields[typeof field];
      }
      return fields;
    },
  };
}
