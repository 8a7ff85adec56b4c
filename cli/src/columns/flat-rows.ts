import { CliError } from '../errors.ts';
import {
  type Column,
  type ColumnType,
  type ColumnValue,
  type DatasetTable,
  extraColumn,
  orphanedColumn,
} from './datasets.ts';

/** A row of a table, by the names of its columns, in their order. */
export type FlatRow = Record<string, ColumnValue>;

/** A row of the service that does not fit the columns. Nothing is stored of it. */
export class RowMismatch extends CliError {
  override readonly name = 'RowMismatch';
}

/** The known fields of an object: columns, or objects again. */
interface Branch {
  readonly fields: Map<string, Branch | Column>;
}

const accepts: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  date: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  json: isObject,
};

/**
 * Returns a function that flattens rows of the dataset. A field that is absent becomes null, a field that is not in the
 * table becomes part of `extra`. It throws RowMismatch for a value of another type: it never rounds or converts one.
 */
export function rowFlattener(
  table: DatasetTable,
  ignored: readonly string[] = [],
): (row: unknown) => FlatRow {
  const root = branchOf(table.columns);
  const empty = Object.fromEntries(table.columns.map(({ name }) => [name, null]));
  const isOrphanable = table.columns.includes(orphanedColumn);
  return (row) => {
    if (!isObject(row)) throw new RowMismatch(`A row of ${table.name} is not an object.`);
    const flat: FlatRow = { ...empty };
    const known = ignored.length === 0 ? row : without(row, ignored);
    try {
      flat[extraColumn.name] = flatten(known, root, flat) ?? null;
    } catch (error) {
      if (!(error instanceof RowMismatch)) throw error;
      const day = typeof row['date'] === 'string' ? row['date'].slice(0, 10) : 'unknown day';
      throw new RowMismatch(
        `${table.name} of ${day}: ${error.message} A newer service may send this: update the command line. Nothing was stored of the day.`,
      );
    }
    if (isOrphanable) flat[orphanedColumn.name] = row['content'] === null || row['content'] === undefined;
    if (flat['date'] === null) throw new RowMismatch(`A row of ${table.name} has no date.`);
    return flat;
  };
}

/** Writes the columns of an object into the row, and returns the rest of it; undefined if there is none. */
function flatten(
  value: Record<string, unknown>,
  { fields }: Branch,
  flat: FlatRow,
): Record<string, unknown> | undefined {
  let rest: Record<string, unknown> | undefined;
  const keep = (name: string, part: unknown) => {
    rest ??= {};
    rest[name] = part;
  };
  for (const [name, part] of Object.entries(value)) {
    // An unknown field without a value says nothing: `pos` is always null in v1.
    if (part === null || part === undefined) continue;
    const field = fields.get(name);
    if (field === undefined) keep(name, part);
    else if (!('fields' in field)) flat[field.name] = checked(field, part);
    else if (isObject(part)) {
      const left = flatten(part, field, flat);
      if (left !== undefined) keep(name, left);
    } else throw new RowMismatch(`"${name}" is not an object: ${excerpt(part)}.`);
  }
  return rest;
}

function checked({ name, type }: Column, value: unknown): ColumnValue {
  if (!accepts[type](value)) throw new RowMismatch(`${name} is not of type ${type}: ${excerpt(value)}.`);
  return value as ColumnValue;
}

function branchOf(columns: readonly Column[]): Branch {
  const root: Branch = { fields: new Map() };
  for (const each of columns) {
    let { fields } = root;
    for (const name of each.path.slice(0, -1)) {
      const branch = fields.get(name) ?? { fields: new Map() };
      if (!('fields' in branch)) throw new Error(`${name} is a column and an object.`);
      fields.set(name, branch);
      fields = branch.fields;
    }
    const last = each.path.at(-1);
    if (last !== undefined) fields.set(last, each);
  }
  return root;
}

function without(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excerpt(value: unknown): string {
  return JSON.stringify(value).slice(0, 80);
}
