import { after } from 'node:test';
import pg from 'pg';
import { createTestDatabase, databaseUrl } from '../../server/test/support/test-database.ts';

/** Creates a database for a warehouse, and returns its address. */
export async function newPostgres(): Promise<string> {
  const { address } = await createTestDatabase();
  return databaseUrl(address as Parameters<typeof databaseUrl>[0]);
}

/** Opens the database of a warehouse; names without a schema are those of the brand. */
export async function openDatabase(address: string, brandId: number) {
  const client = new pg.Client({
    connectionString: address,
    options: `-c search_path=brandport_${brandId}`,
  });
  // Dates as text, and integers as the API has them.
  client.setTypeParser(1082, (text) => text);
  client.setTypeParser(20, Number);
  // The database is dropped with its connections.
  client.on('error', () => {});
  await client.connect();
  after(() => client.end());
  return { read: async (sql: string): Promise<Record<string, unknown>[]> => (await client.query(sql)).rows };
}
