import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { within } from '../lib/within.ts';
import { isConnectionFailure, isConnectionLost, isRetryable, writeTroubleOf } from './database-errors.ts';
import { lossOf, socketOf } from './sessions/session-client.ts';
import { type Statement, sendStatement } from './statement.ts';
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

/** If the store hangs, ROLLBACK hangs too: do not wait a second time. */
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
      await within(rollbackMs, tx.rollback(), () => {
        throw new Error('no response to ROLLBACK');
      }).catch((rollbackError: Error) => {
        // Closing the connection rolls back as well.
        broken = rollbackError;
      });
    throw error;
  } finally {
    client.release(broken ?? lossOf(client));
  }
}

/**
 * Runs the statements of one transaction on a connection in pipeline mode. Queued statements are held in the socket's buffer and
 * leave with the next awaited statement, in one write. After a failure PostgreSQL rejects the rest of the transaction, so no
 * queued statement can take effect.
 */
class PipelinedTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  readonly #socket: Socket;
  #isHeld = false;
  /** The error of the first statement that failed; later ones fail only because of it. */
  #failure: { readonly error: unknown } | null = null;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.#socket = socketOf(client);
  }

  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    this.#hold();
    const asked = this.#ask(statement);
    // Another statement that is run before the next microtask goes out in the same write.
    queueMicrotask(() => this.#release());
    return (await asked).rows as Row[];
  }

  queue(statement: Statement<unknown>): void {
    this.#hold();
    // The next awaited statement rejects with the failure.
    this.#ask(statement).catch(() => {});
  }

  /** Sends BEGIN with the first statement. */
  begin(): void {
    this.#hold();
    this.#watch(this.#client.query('begin')).catch(() => {});
  }

  /** @throws the first failure of any statement; the caller then rolls back */
  async commit(): Promise<void> {
    const { command } = await this.#flush(() => this.#watch(this.#client.query('commit')));
    if (this.#failure !== null) throw this.#failure.error;
    // PostgreSQL's response to the COMMIT of a failed transaction.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back');
  }

  /** Does not reject because of earlier failures of the transaction. */
  async rollback(): Promise<void> {
    await this.#flush(() => this.#client.query('rollback'));
  }

  #ask(statement: Statement<unknown>): Promise<pg.QueryResult> {
    const asked = new Promise<pg.QueryResult>((resolve, reject) => {
      sendStatement(this.#client, statement, (error, result) => (error ? reject(error) : resolve(result)));
    });
    return this.#watch(asked);
  }

  async #watch(asked: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      return await asked;
    } catch (error) {
      // The driver's own stack leads to its socket, this one to the caller.
      if (this.#failure === null && error instanceof Error) Error.captureStackTrace(error);
      this.#failure ??= { error };
      throw this.#failure.error;
    }
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#socket.cork();
    // Not only with the next statement: an event that it waits for may itself wait for a statement in the buffer.
    setImmediate(() => this.#release());
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#socket.uncork();
  }

  #flush<T>(ask: () => Promise<T>): Promise<T> {
    const asked = ask();
    this.#release();
    return asked;
  }
}

export function transactionOf(client: pg.Client): Transaction {
  const run = async <Row>({ text, values }: { text: string; values: readonly unknown[] }): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[];
  return { run, queue: (statement) => void run(statement) };
}
