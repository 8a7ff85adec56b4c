import { after } from 'node:test';
import pg from 'pg';
import { randomHex } from '../../src/lib/ids.ts';
import type { DatabaseAddress } from '../../src/postgres/connection-options.ts';
import { Database } from '../../src/postgres/database.ts';
import { sqlState } from '../../src/postgres/database-errors.ts';
import type { Connection } from './cluster/find-or-start-cluster.ts';
import { getTestCluster } from './cluster/test-cluster.ts';

export interface TestDatabase {
  readonly address: DatabaseAddress & { readonly database: string };
  readonly database: Database;
  /** Runs before the database is closed and dropped, to stop its users first. */
  beforeClose(work: () => Promise<void>): void;
  /** Runs SQL that inspects or damages stored data. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Creates a copy of the migrated database for one test file and drops it when the file is done. Call it at the top of
 * the file. Starts the shared PostgreSQL of the tests unless one runs.
 */
export async function createTestDatabase(
  options: { poolSize?: number; copyOf?: TestDatabase; settings?: Readonly<Record<string, string>> } = {},
): Promise<TestDatabase> {
  const closers: (() => Promise<void>)[] = [];
  // Before the first `await`, so that it belongs to the file or suite that is running now.
  after(async () => {
    for (const close of closers) await close();
  });
  const { connection: server, template } = await getTestCluster();
  const name = `test_${randomHex(12)}`;
  if (options.copyOf === undefined)
    await onServer(server, async (client) => void (await client.query(copyStatement(name, template))));
  else await copyDatabase(server, options.copyOf.address.database, name);
  const address = { ...server, database: name };
  const { settings = {}, ...more } = options;
  await onServer(server, (client) => setDatabaseSettings(client, name, settings));
  const database = new Database({
    address,
    applicationName: 'brandport-test',
    onWriteTrouble: () => {},
    ...more,
  });
  const beforeClose: (() => Promise<void>)[] = [];
  closers.push(async () => {
    for (const close of beforeClose) await close();
    await database.close();
    await dropDatabase(server, name);
  });
  return {
    address,
    database,
    beforeClose: (work) => void beforeClose.push(work),
    sql: async (text, values) => (await database.pool.query(text, values)).rows,
  };
}

/** Sets the defaults that sessions of a database begin with. */
async function setDatabaseSettings(
  client: pg.Client,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [setting, value] of Object.entries(settings))
    await client.query(`alter database ${name} set ${setting} = ${value}`);
}

/** The PostgreSQL server of the tests, for tests that start processes on it. */
export async function testServer(): Promise<Connection> {
  return (await getTestCluster()).connection;
}

/** Formats the address as a URL for `DATABASE_URL`. */
export function databaseUrl({ host, port, user, password, database }: Connection): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgresql://${user}:${encodeURIComponent(password)}@localhost/${database}?${query}`;
}

const objectInUse = '55006';

/** Copies a database file by file. Closes its connections, because PostgreSQL copies only databases without connections. */
function copyDatabase(server: Connection, from: string, name: string): Promise<void> {
  return withoutConnections(server, from, copyStatement(name, from));
}

/** Copies files: without flushing to disk that takes a fifth of the CPU time of logging every page. */
function copyStatement(name: string, template: string): string {
  return `create database ${name} template ${template} strategy file_copy`;
}

/**
 * Drops a database and terminates our own connections to it. Does not use `with (force)`, which also tries to terminate
 * a running autovacuum; only a superuser may do that, while the plain command asks it to stop and waits.
 */
export function dropDatabase(server: Connection, name: string): Promise<void> {
  return withoutConnections(server, name, `drop database ${name}`);
}

/** Terminates our connections to a database and runs a statement; repeats both when a client reconnects in between. */
function withoutConnections(server: Connection, name: string, statement: string): Promise<void> {
  return onServer(server, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
        [name],
      );
      try {
        return void (await client.query(statement));
      } catch (error) {
        if (attempt === 10 || sqlState(error) !== objectInUse) throw error;
      }
    }
  });
}

async function onServer(server: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
