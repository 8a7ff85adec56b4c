import pg from 'pg';
import { openJobQueue } from '../../server/src/jobs/job-queue.ts';
import { connectionOptions, type DatabaseAddress } from '../../server/src/postgres/connection-options.ts';
import { Database } from '../../server/src/postgres/database.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../server/src/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../server/src/postgres/schema/schema-line.ts';

export interface BenchPostgres {
  readonly address: EmbeddedPostgres['connection'];
  /** In the form of `DATABASE_URL`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the product's embedded PostgreSQL with its own defaults (fsync on) and the newest schema. */
export async function startPostgres(dataDir: string, log: (line: string) => void): Promise<BenchPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (level, message) => {
      if (level !== 'info') log(message);
    },
  });
  const { host, port, user, password, database } = postgres.connection;
  await migrate(postgres.connection, mainSchema);
  await migrate(postgres.connection, analyticsSchema);
  await makeJobTables(postgres.connection);
  return {
    address: postgres.connection,
    url: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    stop: () => postgres.stop(),
  };
}

/** Opens a connection for set-up and yardsticks, with the options of the product's connections. */
export async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(address, 'brandport-bench'));
  await client.connect();
  return client;
}

/** Opens `count` connections, for yardsticks that need as many as a load. */
export async function connectMany(address: DatabaseAddress, count: number): Promise<pg.Client[]> {
  return Promise.all(Array.from({ length: count }, () => connect(address)));
}

async function makeJobTables(address: DatabaseAddress): Promise<void> {
  const database = new Database({ address, applicationName: 'brandport-bench' });
  const jobs = await openJobQueue(database, { info: () => {}, error: () => {} }, false);
  await jobs.stop(0);
  await database.close();
}
