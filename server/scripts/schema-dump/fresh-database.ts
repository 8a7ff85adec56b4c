import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Database } from '../../src/postgres/database.ts';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../src/postgres/schema/schema-line.ts';

/** Runs `work` on a new database with all migrations, and drops the database afterwards. */
export async function withFreshDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'brandport-schema-'));
  const log = (level: string, message: string) => {
    if (level === 'error') process.stderr.write(`${message}\n`);
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    try {
      await migrate(postgres.connection, mainSchema);
      await migrate(postgres.connection, analyticsSchema);
      const database = new Database({ address: postgres.connection, applicationName: 'brandport-schema' });
      return await work(database).finally(() => database.close());
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
