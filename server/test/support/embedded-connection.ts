import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Opens a second connection to the embedded database of a server under test, using the files of its data directory. */
export async function connectToEmbedded(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: join(dataDir, 'postgres'),
    port: 5432,
    user: 'brandport',
    database: 'brandport',
    password: (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim(),
  });
  client.on('error', () => {}); // the database is stopped and killed under it
  await client.connect();
  return client;
}
