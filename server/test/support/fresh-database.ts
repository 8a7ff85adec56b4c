import { after } from 'node:test';
import pg from 'pg';
import { randomHex } from '../../src/lib/ids.ts';
import { dropDatabase, testServer } from './test-database.ts';

type Address = ReturnType<typeof testServer>;

/** An empty database on the PostgreSQL of the test run, gone after the test (or the file). */
export async function createDatabase(): Promise<Address> {
  const server = testServer();
  const name = `whole_${randomHex(12)}`;
  await runSql(server, `create database ${name}`);
  after(() => dropDatabase(server, name));
  return { ...server, database: name };
}

/** Runs SQL on a connection of its own. */
export async function runSql<Row extends pg.QueryResultRow>(
  address: Address,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
