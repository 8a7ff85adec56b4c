export const datasetNames = ['daily', 'daily_by_market', 'contents', 'users', 'content_engagement'] as const;
export type DatasetName = (typeof datasetNames)[number];

/** A dataset as a table: the one definition behind files, databases, Singer schemas and the page of columns. */
export interface DatasetTable {
  readonly name: DatasetName;
  /** The dataset of `/status` to which its days belong. */
  readonly dataset: Exclude<DatasetName, 'daily_by_market'>;
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

/** Creates a column that is never null; its name is its path, joined with `_`. */
export function column(path: string, type: ColumnType): Column {
  const names = path.split('.');
  return { name: names.join('_'), type, path: names, isNullable: false, isLabel: false };
}

export function nullable(each: Column): Column {
  return { ...each, isNullable: true };
}

/** Creates columns of one type. `names` are separated by spaces; `prefix` is the path of the object that has them. */
export function columnsOf(type: ColumnType, prefix: string, names: string): Column[] {
  return names.split(' ').map((name) => column(`${prefix}.${name}`, type));
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
