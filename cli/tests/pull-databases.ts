import { after } from 'node:test';
import pg from 'pg';
import { createTestDatabase, databaseUrl } from '../../server/test/support/test-database.ts';
import { openDuckdbFile, query } from './duckdb.ts';

/** Creates a database for a warehouse, and returns its address. */
export async function newPostgres(): Promise<string> {
  const { address } = await createTestDatabase();
  return databaseUrl(address as Parameters<typeof databaseUrl>[0]);
}

/** A connection to the database of a warehouse. */
interface OpenedDatabase {
  readonly read: (sql: string) => Promise<Record<string, unknown>[]>;
  /** DuckDB admits one connection at a time. */
  readonly close: () => Promise<void>;
}

/** Opens the database of a warehouse; names without a schema are those of the brand. */
export async function openDatabase(place: string, brandId: number): Promise<OpenedDatabase> {
  if (!place.startsWith('duckdb:')) return openPostgres(place, `brandport_${brandId}`);
  const instance = await openDuckdbFile(place.slice('duckdb:'.length));
  const connection = await instance.connect();
  return {
    read: (sql) => query(connection, sql),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function openPostgres(address: string, schema: string): Promise<OpenedDatabase> {
  const client = new pg.Client({ connectionString: address, options: `-c search_path=${schema}` });
  // Dates as text, and integers as the API has them.
  client.setTypeParser(1082, (text) => text);
  client.setTypeParser(20, Number);
  // The database is dropped with its connections.
  client.on('error', () => {});
  await client.connect();
  after(() => client.end());
  return { read: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
}
