import type pg from 'pg';
import { openJobQueue } from '../../server/src/jobs/job-queue.ts';
import { connectionOptions, type DatabaseAddress } from '../../server/src/postgres/connection-options.ts';
import { Database } from '../../server/src/postgres/database.ts';
import type { EmbeddedPostgres } from '../../server/src/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../server/src/postgres/schema/schema-files.ts';
import { openConnection } from '../../server/src/postgres/sessions/session-client.ts';
import { startDatabase } from './children.ts';

export interface BenchPostgres {
  readonly address: EmbeddedPostgres['connection'];
  /** In the form of `DATABASE_URL`. */
  readonly url: string;
  /** The postmaster. */
  readonly pid: number;
}

/** Starts the product's embedded PostgreSQL, without changing the database. It ends with this process. */
export async function startPostgres(dataDir: string): Promise<BenchPostgres> {
  const { connection, pid } = await startDatabase(dataDir);
  const { host, port, user, password, database } = connection;
  return {
    address: connection,
    url: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    pid,
  };
}

/** Creates an empty database of the newest schema on a running PostgreSQL, in place of an earlier one of this name. */
export async function createDatabase(
  { address, url, pid }: BenchPostgres,
  client: pg.Client,
  name: string,
): Promise<BenchPostgres> {
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name} encoding 'UTF8' template template0`);
  const created = { address: { ...address, database: name }, url: url.replace(/[^/]+$/, name), pid };
  await upgrade(created.address);
  return created;
}

/** Upgrades the database to the newest schema and creates the tables of the job queue. */
export async function upgrade(address: DatabaseAddress): Promise<void> {
  await migrate(address, mainSchema);
  await migrate(address, analyticsSchema);
  const database = new Database({ address, applicationName: 'brandport-bench' });
  const jobs = await openJobQueue(database, { info: () => {}, error: () => {} }, false);
  await jobs.stop(0);
  await database.close();
}

/** Opens a connection for set-up and yardsticks, with the options of the product's connections. */
export async function connect(address: DatabaseAddress): Promise<pg.Client> {
  return openConnection(connectionOptions(address, 'brandport-bench'));
}

/** Opens `count` connections, for yardsticks that need as many as a load. */
export async function connectMany(address: DatabaseAddress, count: number): Promise<pg.Client[]> {
  return Promise.all(Array.from({ length: count }, () => connect(address)));
}
