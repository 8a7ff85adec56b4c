import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { lossOf } from './connection-loss.ts';
import { writeTroubleOf } from './database-trouble.ts';
import { PipelinedTransaction } from './pipelined-transaction.ts';
import { isConnectionFailure, isConnectionLost, isRetryable } from './sqlstate.ts';
import type { Transaction } from './transaction.ts';

export interface RetryOptions {
  /** Maximum number of runs of `work` with deadlocks, serialisation failures or lost connections; default 8. */
  readonly attempts?: number;
  readonly onRetry?: (error: unknown) => void;
}

/** Number of times that one transaction may lose its connection: a database that keeps closing them is unavailable. */
const maxLosses = 3;

/** A session that PostgreSQL ends reports it before it releases its locks, which work that ran again at once could meet. */
const lossPauseMs = 50;

/** A failure of something else, such as the analytics store, may have the same cause: its limit must not be waited for twice. */
const rollbackMs = 500;

/**
 * Runs `work` between BEGIN and COMMIT on a connection of the pool. If it is lost before COMMIT was sent, nothing has changed, so
 * `work` runs again on another one [D43]. If COMMIT itself fails, the outcome may be unknown: the caller receives the error, and
 * an idempotency key makes a retry safe.
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { attempts = 8, onRetry }: RetryOptions = {},
): Promise<T> {
  let losses = 0;
  for (let attempt = 1; ; attempt += 1) {
    const progress: Progress = { isCertainlyUndone: true };
    try {
      return await runOnce(pool, work, progress);
    } catch (error) {
      if (progress.isCertainlyUndone && isConnectionLost(error)) losses += 1;
      else if (!isRetryable(error)) throw error;
      if (attempt >= attempts || losses >= maxLosses) throw error;
      onRetry?.(error);
      // Random and growing, so that two transactions that collided do not collide again.
      await sleep(Math.random() * 5 * 2 ** attempt);
    }
  }
}

interface Progress {
  /** No COMMIT was sent. */
  isCertainlyUndone: boolean;
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  progress: Progress,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const tx = new PipelinedTransaction(client);
  try {
    tx.begin();
    const value = await work(tx);
    progress.isCertainlyUndone = false;
    await tx.commit();
    return value;
  } catch (error) {
    if (isConnectionLost(error)) await sleep(lossPauseMs);
    // A lost connection rolls back automatically, and one that hangs would hang again. A session that began while the
    // database was read-only may stay read-only afterwards.
    if (isConnectionFailure(error) || writeTroubleOf(error) === 'read_only') broken ??= error as Error;
    else
      await inTime(tx.rollback()).catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    client.release(broken ?? lossOf(client));
  }
}

/** Rejects after `rollbackMs`; the connection is then closed, which rolls back as well. */
function inTime(rollback: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no response to ROLLBACK')), rollbackMs);
  });
  return Promise.race([rollback, late]).finally(() => clearTimeout(timer));
}
