import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { DataDirInUseError, type DataDirLock, lockDataDir } from '../postgres/embedded/data-dir.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts';
import { StartError } from './start-error.ts';

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
export async function superviseEmbeddedPostgres(
  dataDir: string,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  const lock = await lockOrExplain(dataDir);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const start = (aborted?: AbortSignal) => startEmbeddedPostgres({ dataDir, log, lock, cancelled: aborted });
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
