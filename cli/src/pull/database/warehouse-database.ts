import { type ColumnType, type DatasetTable, datasetNames } from '../../columns/dataset-table.ts';
import { WarehouseRefused } from '../warehouse-state.ts';

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

/** Returns the stored state; null without one. @throws WarehouseRefused for datasets without a state */
export async function findStateText(database: WarehouseDatabase): Promise<string | null> {
  const names = await columnsOf(database);
  if (names.has('_brandport_state')) {
    const [row] = await database.rows(`select state from ${database.schema}._brandport_state`);
    if (row !== undefined) return String(row[0]);
  }
  const found = datasetNames.find((name) => names.has(name));
  if (found !== undefined)
    throw new WarehouseRefused(
      `${database.name} has a table "${found}" of another program: use another database.`,
    );
  return null;
}

/** Stores the first state, in a table and a schema that it creates if necessary. */
export async function createState(database: WarehouseDatabase, text: string): Promise<void> {
  const { schema } = database;
  const found = await database.rows('select 1 from information_schema.schemata where schema_name = $1', [
    schema,
  ]);
  if (found.length === 0) await database.rows(`create schema ${schema}`);
  await database.rows(`create table if not exists ${schema}._brandport_state (state text not null)`);
  await database.rows(`insert into ${schema}._brandport_state (state) values ($1)`, [text]);
}

/** Returns the columns of each table of the warehouse. */
export async function columnsOf(
  database: WarehouseDatabase,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await database.rows(
    'select table_name, column_name from information_schema.columns where table_schema = $1',
    [database.schema],
  );
  const tables = new Map<string, Set<string>>();
  for (const [table, column] of rows)
    tables.set(String(table), (tables.get(String(table)) ?? new Set()).add(String(column)));
  return tables;
}
