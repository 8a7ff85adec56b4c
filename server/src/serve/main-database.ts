import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { lockDataDir } from '../postgres/embedded/data-dir-lock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts';
import { mainMigrations, migrate } from '../postgres/migrations.ts';
import { isConnectionFailure } from '../postgres/sqlstate.ts';
import { StartError } from './start-error.ts';

export interface MainDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Stops the embedded PostgreSQL; nothing to do for one of the operator's own. */
  stop(): Promise<void>;
}

export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;

/** How long a database of the operator's own is waited for at the start: it may be starting at the same time. */
const patienceMs = 30_000;

/**
 * Opens the main database (starting the embedded one where no `DATABASE_URL` is set) and brings it to the newest schema.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openMainDatabase(config: Config, log: Log): Promise<MainDatabase> {
  const main =
    config.databaseUrl === null ? await startEmbedded(config.dataDir, log) : external(config.databaseUrl);
  try {
    const ran = await migrateWithPatience(main.address, log);
    if (ran.length > 0) log('info', `migrated the database: ${ran.join(', ')}`);
    return main;
  } catch (error) {
    await main.stop();
    throw error;
  }
}

function external(url: string): MainDatabase {
  return { address: { url }, isEmbedded: false, stop: async () => {} };
}

async function migrateWithPatience(address: DatabaseAddress, log: Log): Promise<string[]> {
  const deadline = Date.now() + patienceMs;
  for (let warned = false; ; warned = true) {
    try {
      return await migrate(address, mainMigrations);
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      if (Date.now() > deadline)
        throw new StartError(`The database of DATABASE_URL cannot be reached: ${(error as Error).message}`);
      if (!warned) log('warn', `waiting for the database: ${(error as Error).message}`);
      await sleep(500);
    }
  }
}

/**
 * Runs the embedded PostgreSQL and, should it end by itself, starts it again: the pools connect anew, and until then
 * `/readyz` says so. The data directory stays locked all the while.
 */
async function startEmbedded(dataDir: string, log: Log): Promise<MainDatabase> {
  const lock = await lockDataDir(dataDir);
  let current: EmbeddedPostgres;
  let isStopping = false;
  const start = async () => {
    current = await startEmbeddedPostgres({ dataDir, log, lock });
    void current.exited.then(restart);
  };
  const restart = async () => {
    for (let pauseMs = 500; !isStopping; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      log('error', 'the embedded PostgreSQL ended by itself; starting it again');
      try {
        await current.stop();
        return await start();
      } catch (error) {
        log('error', `the embedded PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(pauseMs);
      }
    }
  };
  try {
    await start();
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    // biome-ignore lint/style/noNonNullAssertion: start() has set it.
    address: current!.connection,
    isEmbedded: true,
    stop: async () => {
      isStopping = true;
      await current.stop();
      await lock.release();
    },
  };
}
