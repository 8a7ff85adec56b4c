import type { ColumnType } from '../../columns/column.ts';
import type { DatasetTable } from '../../columns/dataset-table.ts';

/** A database that stores a warehouse, and its dialect. Held by one process at a time. */
export interface WarehouseDatabase {
  /** The address, for messages. */
  readonly name: string;
  /** The folder for temporary files of a run. */
  readonly temporary: string;
  /** The schema of the tables. */
  readonly schema: string;
  readonly types: Readonly<Record<ColumnType, string>>;
  /** The expression of `date` as text. */
  readonly dayText: string;
  /** True if the rows of a day are found by an index. */
  readonly hasIndexes: boolean;
  /** Runs a statement. */
  rows(sql: string, values?: readonly string[]): Promise<readonly (readonly unknown[])[]>;
  /** Inserts the rows of a file, a JSON object each line. */
  insert(table: DatasetTable, path: string): Promise<void>;
  /** Ends the connection, and with it the lock. */
  close(): Promise<void>;
}
