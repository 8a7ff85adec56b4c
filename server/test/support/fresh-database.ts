import { after } from 'node:test';
import pg from 'pg';
import { randomHex } from '../../src/lib/ids.ts';
import type { DatabaseAddress } from '../../src/postgres/connection-options.ts';
import type { Connection } from './cluster/find-or-start-cluster.ts';
import { dropDatabase, testServer } from './test-database.ts';

/**
 * Creates an empty database on the PostgreSQL of the tests and drops it after the test (or the file).
 * @param encoding default: UTF8
 */
export async function createDatabase(encoding?: string): Promise<Connection> {
  const server = await testServer();
  const name = `whole_${randomHex(12)}`;
  const narrow = `encoding '${encoding}' template template0 locale 'C' locale_provider libc`;
  await runSql(server, `create database ${name} ${encoding === undefined ? '' : narrow}`);
  after(() => dropDatabase(server, name));
  return { ...server, database: name };
}

/** Runs SQL on a new connection. */
export async function runSql<Row extends pg.QueryResultRow>(
  address: DatabaseAddress,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(address as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
