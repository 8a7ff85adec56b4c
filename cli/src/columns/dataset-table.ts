import type { Column } from './column.ts';

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
