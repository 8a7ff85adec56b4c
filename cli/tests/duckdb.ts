import { registerHooks } from 'node:module';
import type { Duckdb, DuckdbConnection, DuckdbInstance } from '../src/pull/database/duckdb-database.ts';

/**
 * DuckDB is installed with `checks/`, because only tests need it [D68]. From here on the command line finds it there; a
 * process that a test starts does so with `--import` of this file.
 */
const checks = new URL('../../checks/package.json', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === '@duckdb/node-api' ? { ...context, parentURL: checks } : context),
});

/** Opens a database file, or creates it. */
export async function openDuckdbFile(path: string): Promise<DuckdbInstance> {
  const name = '@duckdb/node-api';
  const { DuckDBInstance }: Duckdb = await import(name);
  return DuckDBInstance.create(path);
}

/** Connects to a database in memory, or to a file. */
export async function openDuckdb(path = ':memory:'): Promise<DuckdbConnection> {
  return (await openDuckdbFile(path)).connect();
}

/** Returns the rows of a query, as JSON. */
export async function query(connection: DuckdbConnection, sql: string): Promise<Record<string, unknown>[]> {
  const result = (await connection.runAndReadAll(sql)) as unknown as JsonRows;
  return result.getRowObjectsJson();
}

interface JsonRows {
  getRowObjectsJson(): Record<string, unknown>[];
}
