import type { Brandport } from '@brandport/client';
import { generatedTables } from '../generated/dataset-tables.ts';

export type DatasetName = (typeof generatedTables)[number]['name'];
export const datasetNames: readonly DatasetName[] = generatedTables.map(({ name }) => name);

/** A dataset as a table: what files, databases, Singer schemas and the page of columns are made from. */
export interface DatasetTable {
  readonly name: DatasetName;
  /** The dataset of `/status` to which its days belong. */
  readonly dataset: (typeof generatedTables)[number]['dataset'];
  /** The property of the SDK that reads it. */
  readonly property: Exclude<keyof Brandport['analytics'], 'status'>;
  /** The path of the endpoint below `/v1/client/analytics`. */
  readonly endpoint: string;
  /** The parameters of the endpoint, next to window and page. */
  readonly query: { readonly group_by?: 'market' };
  /** The schema of a row in the OpenAPI document. */
  readonly schema: string;
  /** A key needs this scope to read the dataset. */
  readonly scope: string;
  /** The longest window of one request, in days. */
  readonly capDays: number;
  /** The largest page. */
  readonly perPage: number;
  /** The columns that identify a row; empty if rows of orphaned contents have nothing that identifies them. */
  readonly key: readonly string[];
  /** In order. The first one is `date`, the last one `extra`. */
  readonly columns: readonly Column[];
}

/** Returns the table without running totals. Nothing of it changes on days whose cause is `corrected`. */
export function withoutCumulative(table: DatasetTable): DatasetTable {
  return { ...table, columns: table.columns.filter(({ path }) => path[0] !== 'cumulative') };
}

/** The types of columns, in the words of no particular database. */
export type ColumnType = 'date' | 'integer' | 'number' | 'boolean' | 'text' | 'json';

/** A value of a flat row. Dates are `YYYY-MM-DD`; `json` columns have objects. */
export type ColumnValue = string | number | boolean | Readonly<Record<string, unknown>> | null;

/** A column of a dataset in files and databases. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The names that lead to the value in a row of the API; empty for a column that is not one field. */
  readonly path: readonly string[];
  readonly isNullable: boolean;
  /** True if the value may change without a change of the day's revision. */
  readonly isLabel: boolean;
}

/** The column of new fields: fields that this version does not know, in the shape of the API; null without one. */
export const extraColumn: Column = {
  name: 'extra',
  type: 'json',
  path: [],
  isNullable: true,
  isLabel: false,
};

/** True if the directory does not list the content of the row; the other columns of the content are then null. */
export const orphanedColumn: Column = {
  name: 'content_is_orphaned',
  type: 'boolean',
  path: [],
  isNullable: false,
  isLabel: false,
};

/** A column of a generated table: the path of its field, and its type, with `?` if it can be null. */
type GeneratedColumn = readonly [path: string, type: string];

/** The fields whose value may change without a change of the day's revision. */
const labels: ReadonlySet<string> = new Set(['content.name']);

function columnOf([path, type]: GeneratedColumn): Column {
  const names = path.split('.');
  return {
    name: names.join('_'),
    type: type.replace('?', '') as ColumnType,
    path: names,
    isNullable: type.endsWith('?'),
    isLabel: labels.has(path),
  };
}

/** Returns the columns of a table: its fields, whether the directory lists the content of a row, and new fields. */
function columnsOf(fields: readonly GeneratedColumn[]): readonly Column[] {
  const columns = fields.map(columnOf);
  const content = columns.findLastIndex(({ path }) => path[0] === 'content') + 1;
  return [
    ...columns.slice(0, content),
    ...(content > 0 ? [orphanedColumn] : []),
    ...columns.slice(content),
    extraColumn,
  ];
}

/** A generated table; its lists are the only parts that differ from `DatasetTable`. */
type GeneratedTable = Omit<DatasetTable, 'columns'> & { readonly columns: readonly GeneratedColumn[] };

/** Returns tables by name, with all of their columns. */
export function tablesOf(generated: readonly GeneratedTable[]): Readonly<Record<DatasetName, DatasetTable>> {
  const tables = generated.map((table) => [table.name, { ...table, columns: columnsOf(table.columns) }]);
  return Object.fromEntries(tables) as Record<DatasetName, DatasetTable>;
}

/** The tables of all datasets. A test compares their columns with the OpenAPI document [D151]. */
export const datasetTables: Readonly<Record<DatasetName, DatasetTable>> = tablesOf(generatedTables);
