import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../server/src/postgres/embedded/embedded-postgres.ts';
import type { StartedPostgres } from './messages.ts';

/** All that were started, also those that are still starting. */
const starting: Promise<EmbeddedPostgres>[] = [];

/** Starts the product's embedded PostgreSQL with its own defaults (fsync on). */
export async function keepPostgres(dataDir: string): Promise<StartedPostgres> {
  const postgres = startEmbeddedPostgres({
    dataDir,
    log: (level, message) => {
      if (level !== 'info') process.stderr.write(`${message}\n`);
    },
  });
  starting.push(postgres);
  const { connection } = await postgres;
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return { connection, pid: Number.parseInt(pidFile, 10) };
}

/** Shuts every PostgreSQL down and waits for its end. */
export async function stopPostgres(): Promise<void> {
  for (const each of await Promise.allSettled(starting))
    if (each.status === 'fulfilled') await each.value.stop();
}
