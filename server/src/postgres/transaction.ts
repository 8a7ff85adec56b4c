import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { PipelinedTransaction } from './pipelined-transaction.ts';
import { isConnectionFailure, isRetryable } from './sqlstate.ts';
import type { Statement } from './statement.ts';

/** An open transaction: everything run on it commits or rolls back together. */
export interface Transaction {
  /** Runs a statement and answers its rows. */
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
  /**
   * Runs a statement whose rows nobody needs. It goes to the database together with the next one, if that comes within
   * this turn of the event loop, which saves a round trip. Its failure comes from there.
   */
  send(statement: Statement<unknown>): void;
  /**
   * Runs a statement and answers its rows. It goes to the database together with the next one, if that comes within this
   * turn of the event loop: for a statement after which another one can be sent without knowing what this one answers.
   */
  runAhead<Row>(statement: Statement<Row>): Promise<Row[]>;
}

export interface RetryOptions {
  /** How often `work` runs at the most when it meets deadlocks or serialisation failures; default 8. */
  readonly attempts?: number;
  readonly onRetry?: (error: unknown) => void;
}

/**
 * Runs `work` between BEGIN and COMMIT on a connection of the pool. When COMMIT itself fails the outcome may be
 * unknown; the error reaches the caller, and an idempotency key is what makes asking again safe.
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { attempts = 8, onRetry }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      onRetry?.(error);
      // Random, growing: two transactions that met must not meet again at the same place.
      await sleep(Math.random() * 5 * 2 ** attempt);
    }
  }
}

async function runOnce<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool listens to idle connections only; an error event that nobody listens to would end the process.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on('error', onLost);
  const tx = new PipelinedTransaction(client);
  try {
    tx.begin();
    const value = await work(tx);
    await tx.commit();
    return value;
  } catch (error) {
    // A lost connection rolls back by itself, and one that hangs would hang once more.
    if (isConnectionFailure(error)) broken ??= error as Error;
    else
      await tx.rollback().catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
}
