import { datasetNames } from '../../columns/dataset-table.ts';
import { WarehouseRefused } from '../warehouse-state.ts';
import type { WarehouseDatabase } from './warehouse-database.ts';

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
