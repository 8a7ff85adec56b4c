import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { isConnectionFailure, isLockTimeout, RefusedConnectionError } from '../postgres/database-errors.ts';
import { DataDirInUseError, type DataDirLock, lockDataDir } from '../postgres/embedded/data-dir.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts';
import { type LockWaiting, withLockPatience } from '../postgres/schema/lock-patience.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { MigrationError, mainSchema } from '../postgres/schema/schema-files.ts';
import { StartError } from './lifetime.ts';

const retryMs = 200;

/** Says that a start waits for a lock. */
export function logLockWait(log: Log): void {
  log('warn', 'waiting for a lock that another session of the database holds');
}

/**
 * Runs a step of the start that may be repeated, and repeats it while another session has locked its tables.
 * @throws StartError after a minute; the reason of `cancelled`, without waiting for the step
 */
export async function startWithLocks<T>(step: () => Promise<T>, waiting: LockWaiting): Promise<T> {
  const { cancelled } = waiting;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  const stop = () => reject(cancelled?.reason);
  cancelled?.addEventListener('abort', stop);
  const attempt = () => {
    const running = step();
    running.catch(() => {});
    return Promise.race([running, stopped]);
  };
  try {
    return await withLockPatience(attempt, waiting, {
      isBusy: isLockTimeout,
      late: (error, seconds) =>
        new StartError(
          `Another session has locked tables of the database for ${seconds} s. docs/monitoring.md, "Locks", finds it. ` +
            `(${error.message})`,
          { cause: error },
        ),
      retryMs,
    });
  } finally {
    cancelled?.removeEventListener('abort', stop);
  }
}

export interface MainDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Set for the database of a server that runs on the data directory. */
  readonly isInUse?: boolean;
  /** Stops the embedded PostgreSQL; does nothing for an external one. */
  stop(): Promise<void>;
}

export function externalDatabase(url: string): MainDatabase {
  return { address: { url }, isEmbedded: false, stop: async () => {} };
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Runs the embedded PostgreSQL and restarts it if it exits unexpectedly [D11]: the pools reconnect, and until then
 * `/readyz` reports it. The data directory stays locked throughout. `cancelled` aborts the first start.
 * @throws StartError if the data directory is in use or unusable; EmbeddedPostgresError; the reason of `cancelled`
 */
async function superviseEmbeddedPostgres(
  { dataDir, isDataTemporary: endsWithParent = false }: Pick<Config, 'dataDir' | 'isDataTemporary'>,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  const lock = await lockOrExplain(dataDir);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const start = (aborted?: AbortSignal) =>
    startEmbeddedPostgres({ dataDir, log, lock, endsWithParent, cancelled: aborted });
  let current: EmbeddedPostgres;
  try {
    current = await start(cancelled);
  } catch (error) {
    await lock.release();
    throw error;
  }
  const { connection } = current;
  const supervision = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      await Promise.race([current.exited, stopped]);
      if (signal.aborted) return;
      log('error', 'embedded PostgreSQL exited unexpectedly, restarting');
      await current.stop();
      if (!(await startAgain())) return;
    }
  }

  async function startAgain(): Promise<boolean> {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        current = await start();
        return true;
      } catch (error) {
        log('error', `embedded PostgreSQL failed to start: ${(error as Error).message}`);
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
    return false;
  }

  return {
    address: connection,
    isEmbedded: true,
    stop: async () => {
      stopping.abort();
      // Waits for a start in progress: its process must be stopped as well.
      await supervision;
      await current.stop();
      await lock.release();
    },
  };
}

async function lockOrExplain(dataDir: string): Promise<DataDirLock> {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof DataDirInUseError) throw new StartError(message);
    throw new StartError(
      `The data directory ${dataDir} (BRANDPORT_DATA_DIR) cannot be used by uid ${process.getuid?.()}: ${message}`,
    );
  }
}

/** Time that startup waits for an external database, which may be starting too. */
const patienceMs = 30_000;

/**
 * Opens the main database (the embedded one without `DATABASE_URL`) and migrates it to the latest schema.
 * @throws StartError, EmbeddedPostgresError, MigrationError; the reason of `cancelled`
 */
export async function openMainDatabase(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  const main = await startMainDatabase(config, log, cancelled);
  try {
    const ran = await migrateWithPatience(main.address, log, cancelled);
    if (ran.length > 0) log('info', `database migrated: ${ran.join(', ')}`);
    return main;
  } catch (error) {
    await main.stop();
    throw error;
  }
}

/** Starts the embedded database without `DATABASE_URL`. @throws StartError, EmbeddedPostgresError; the reason of `cancelled` */
export async function startMainDatabase(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  return config.databaseUrl === null
    ? superviseEmbeddedPostgres(config, log, cancelled)
    : externalDatabase(config.databaseUrl);
}

async function migrateWithPatience(
  address: DatabaseAddress,
  log: Log,
  cancelled: AbortSignal,
): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (let warned = false; ; warned = true) {
    cancelled.throwIfAborted();
    try {
      return await migrate(address, mainSchema, { onWait: () => logLockWait(log), cancelled });
    } catch (error) {
      if (error instanceof MigrationError || cancelled.aborted) throw error;
      const { message } = error as Error;
      if (error instanceof RefusedConnectionError || !isConnectionFailure(error))
        throw new StartError(`The database of DATABASE_URL cannot be used: ${message}`, { cause: error });
      if (performance.now() > deadline)
        throw new StartError(`The database of DATABASE_URL cannot be reached: ${message}`, { cause: error });
      if (!warned) log('warn', `waiting for the database: ${message}`);
      await sleep(500, undefined, { signal: cancelled }).catch(() => {});
    }
  }
}
