import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isRetryable } from './sqlstate.ts';
import type { Statement } from './statement.ts';

/** An open transaction: everything run on it commits or rolls back together. */
export interface Transaction {
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
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
  try {
    await client.query('begin');
    const value = await work({
      async run<Row>(statement: Statement<Row>) {
        const { name, text, values } = statement;
        const result = await client.query({ name, text, values: values as unknown[] });
        return result.rows as Row[];
      },
    });
    await client.query('commit');
    return value;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch (rollbackError) {
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
