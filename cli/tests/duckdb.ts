import { createRequire } from 'node:module';

/** The part of `@duckdb/node-api` that tests use. It is installed with `checks/`, because only tests need it [D68]. */
interface Duckdb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<DuckdbConnection> }>;
  };
}

interface DuckdbConnection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
}

/** Connects to a database in memory. */
export async function openDuckdb(): Promise<DuckdbConnection> {
  const { DuckDBInstance }: Duckdb = createRequire(new URL('../../checks/package.json', import.meta.url))(
    '@duckdb/node-api',
  );
  return (await DuckDBInstance.create(':memory:')).connect();
}

/** Returns the rows of a query, as JSON. */
export async function query(connection: DuckdbConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}
