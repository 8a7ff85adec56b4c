import type pg from 'pg';
import type { Owner } from '../lib/semaphore.ts';
import type { WaitOptions } from '../lib/turn-wait.ts';
import { within } from '../lib/within.ts';
import {
  Connections,
  type DatabaseOptions,
  type DatabaseProbe,
  type TurnKind,
  type TurnUse,
} from './connections.ts';
import { isConnectionLost, isRetryable, type WriteTrouble } from './database-errors.ts';
import { completeRows } from './large-json.ts';
import { isLong } from './pipelined-connection.ts';
import { type RetryOptions, runTransaction } from './run-transaction.ts';
import { type Statement, statement } from './statement.ts';
import type { AuditedTransaction, Initiator, Transaction } from './transaction.ts';

export type { DatabaseOptions } from './connections.ts';

/** Runs one statement and returns its rows: the interface for query modules. */
export interface Queryable {
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
}

export interface TransactionOptions extends RetryOptions {
  /** See `WaitOptions`: a disconnected client stops waiting for a connection. */
  readonly gone?: WaitOptions['gone'];
}

const probeDatabase = statement<DatabaseProbe>(
  'probe_database',
  `select pg_is_in_recovery() as "isRecovering"`,
  [],
  { vital: true },
);

/**
 * Access to one PostgreSQL. `run` reads: short statements on shared pipelined connections, long ones on a separate connection, so
 * that nothing waits behind them. The only ways to write are `transaction` and `auditedTransaction`. Long reads and transactions
 * have separate pools, each divided fairly between owners.
 */
export class Database implements Queryable {
  readonly #connections: Connections;
  readonly #owner: Owner;

  constructor(options: DatabaseOptions | Connections, owner: Owner = null) {
    this.#connections = options instanceof Connections ? options : new Connections(options);
    this.#owner = owner;
  }

  /** Whose share the work done through this one takes; null: the platform's. */
  get owner(): Owner {
    return this.#owner;
  }

  /** Returns the same database; work done through it counts towards the brand. */
  forBrand(brandId: number): Database {
    return this.forOwner(brandId);
  }

  /** Like `forBrand`; a name is the share of an operator, or of work that brands do together. */
  forOwner(owner: Owner): Database {
    return new Database(this.#connections, owner);
  }

  /** The connections of transactions, bypassing the fair shares: for tests that hold one. */
  get pool(): pg.Pool {
    return this.#connections.transactions.pool;
  }

  /**
   * Runs one read, never a statement that writes or locks. Short ones are pipelined on a shared connection. A long one, and a
   * short one that turned out to be long, gets a separate connection, and runs again once if that is lost.
   * @throws TurnError if no connection for a long one became free in time
   */
  run<Row>(statement: Statement<Row>): Promise<Row[]> {
    return statement.long === true
      ? this.#runLong(statement)
      : untilNoDeadlock(() => this.#runShort(statement));
  }

  async #runShort<Row>(statement: Statement<Row>): Promise<Row[]> {
    const rows = await this.#connections.readShort(statement, this.#owner);
    return rows === isLong ? this.#runLong(statement) : completeRows(rows, this.#owner);
  }

  async #runLong<Row>({ name, text, values }: Statement<Row>): Promise<Row[]> {
    const { reads } = this.#connections;
    const ask = async () =>
      (await reads.pool.query({ name, text, values: values as unknown[] })).rows as Row[];
    // With its turn, so that an owner has few large results in memory.
    return this.#connections.inTurn(reads, this.#owner, undefined, async () => {
      const rows = await untilNoDeadlock(() =>
        ask().catch((error: unknown) => {
          if (!isConnectionLost(error)) throw error;
          return ask();
        }),
      );
      return completeRows(rows, this.#owner);
    });
  }

  /** Runs SQL outside of any transaction: for the job queue. The text may have several statements if there are no values. */
  execute(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const { transactions } = this.#connections;
    return this.#connections.inTurn(transactions, this.#owner, undefined, () =>
      transactions.pool.query(text, values),
    );
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits. A deadlock, a serialisation failure or a lost connection rolls
   * back and runs `work` again, so `work` must have no effect outside of the transaction.
   * @throws TurnError if no connection became free in time
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { transactions } = this.#connections;
    return this.#connections.inTurn(transactions, this.#owner, options.gone, () =>
      runTransaction(transactions.pool, work, options),
    );
  }

  /** Like `transaction`, for work that writes audit entries: they name `initiator` [internal-54]. */
  auditedTransaction<T>(
    initiator: Initiator,
    work: (tx: AuditedTransaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    return this.transaction((tx) => work(Object.assign(tx, { initiator })), options);
  }

  /**
   * Returns whether a short statement succeeds within `timeoutMs` on the connection that most requests use first, and the
   * server is no standby. Notes a server that would refuse writes, as a failed write does. Never throws.
   */
  async isReachable(timeoutMs: number): Promise<boolean> {
    const probe = this.run(probeDatabase).then(
      ([row]) => this.#connections.noteProbe(row),
      () => false,
    );
    return within(timeoutMs, probe, () => false);
  }

  /** Why the last write failed and the next one would fail; null if no such reason is known. */
  get writeTrouble(): WriteTrouble | null {
    return this.#connections.writeHealth?.trouble ?? null;
  }

  uses(): TurnUse[] {
    return this.#connections.uses();
  }

  /** Sets the function that is called whenever a caller had to wait for a connection. There is one. */
  onWaited(listener: (kind: TurnKind, seconds: number) => void): void {
    this.#connections.onWaited = listener;
  }

  /** Waits for running work, for `limitMs` at most if given, then closes every connection. */
  close(limitMs?: number): Promise<void> {
    return this.#connections.close(limitMs);
  }
}

const readAttempts = 3;

/** Repeats a read that PostgreSQL ended to resolve a deadlock, such as one with a migration. The read has changed nothing. */
async function untilNoDeadlock<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await ask();
    } catch (error) {
      if (isRetryable(error) && attempt < readAttempts) continue;
      // The driver's own leads to its socket, this one to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
}
