import type pg from 'pg';
import { Connections, type DatabaseOptions, type TurnKind, type TurnUse } from './connections.ts';
import type { WriteTrouble } from './database-trouble.ts';
import type { Share } from './fair-turns.ts';
import { type RetryOptions, runTransaction } from './run-transaction.ts';
import { isConnectionLost, isRetryable } from './sqlstate.ts';
import { type Statement, statement } from './statement.ts';
import type { CatalogTransaction, Transaction } from './transaction.ts';
import type { WaitOptions } from './waiting-line.ts';

export type { DatabaseOptions } from './connections.ts';

/** Runs one statement and returns its rows: the interface for query modules. */
export interface Queryable {
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
}

export interface TransactionOptions extends RetryOptions {
  /** See `WaitOptions`: a client that is gone does not wait for a connection. */
  readonly gone?: WaitOptions['gone'];
}

export interface CatalogTransactionOptions<T> extends TransactionOptions {
  /** The name of the change while it waits or runs; null if no one looks it up. */
  readonly name?: string | null;
  /**
   * Called when the change has to wait. `isInFlight`: another one of the same name waits or runs. What it answers, other
   * than null, or throws ends the wait, and `work` is not run.
   */
  readonly whileWaiting?: (isInFlight: boolean) => Promise<T | null>;
}

/** A change of a catalog waits for its brand's turn this long, milliseconds, before it takes a connection. */
const catalogTurnLimitMs = 25_000;

/**
 * Access to one PostgreSQL. `run` reads: a short statement on a shared pipelined connection, a long one on a connection of
 * its own, so that nobody waits behind it. `transaction` and `catalogTransaction` are the only ways to write. The connections
 * of long reads and of transactions are separate pools, and both are divided fairly between brands.
 */
export class Database implements Queryable {
  readonly #connections: Connections;
  readonly #share: Share;

  /** With options it opens its own connections; `forBrand` is how to share them. */
  constructor(options: DatabaseOptions | Connections, share: Share = null) {
    this.#connections = options instanceof Connections ? options : new Connections(options);
    this.#share = share;
  }

  /** The same database; what is done through it counts as the brand's share of the connections. */
  forBrand(brandId: number): Database {
    return this.forShare(brandId);
  }

  /** The same database; what is done through it counts as the use of `share`. */
  forShare(share: Share): Database {
    return new Database(this.#connections, share);
  }

  /** The connections of transactions, past the fair shares: for tests that hold one. */
  get pool(): pg.Pool {
    return this.#connections.transactions.pool;
  }

  /**
   * Runs one read. A short one goes through the shared connection, without waiting for the responses of those before it: never
   * a statement that writes or locks. A long one (`statement.long`) gets a connection of its own, and runs once more
   * when that one was lost.
   * @throws TurnError when no connection was free in time for a long one
   */
  run<Row>(statement: Statement<Row>): Promise<Row[]> {
    if (statement.long === true) return this.#runLong(statement);
    return untilNoDeadlock(() => this.#connections.shortReads.run(statement));
  }

  #runLong<Row>({ name, text, values }: Statement<Row>): Promise<Row[]> {
    const { reads } = this.#connections;
    const ask = async () =>
      (await reads.pool.query({ name, text, values: values as unknown[] })).rows as Row[];
    return this.#connections.inTurn(reads, this.#share, undefined, () =>
      untilNoDeadlock(() =>
        ask().catch((error: unknown) => {
          if (!isConnectionLost(error)) throw error;
          return ask();
        }),
      ),
    );
  }

  /**
   * Runs the text, which may be several statements where there are no values, outside of any transaction of ours: for the job
   * queue, which writes its own SQL. Answers what `pg` does.
   */
  execute(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const { transactions } = this.#connections;
    return this.#connections.inTurn(transactions, this.#share, undefined, () =>
      transactions.pool.query(text, values),
    );
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits. A deadlock, a serialisation failure or a lost connection
   * rolls back and runs `work` again, so `work` must have no effect outside of the transaction. What `work` throws rolls
   * back. A change of a catalog needs `catalogTransaction`.
   * @throws TurnError when no connection was free in time
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { transactions } = this.#connections;
    return this.#connections.inTurn(transactions, this.#share, options.gone, () =>
      runTransaction(transactions.pool, work, options),
    );
  }

  /**
   * Like `transaction`, for work that takes the brand's catalog lock: waits for the brand's turn first,
   * without a connection, in order of arrival. Counts as the brand's share.
   * @throws TurnError if there was no turn or no connection in time
   */
  async catalogTransaction<T>(
    brandId: number,
    work: (tx: CatalogTransaction) => Promise<T>,
    options: CatalogTransactionOptions<T> = {},
  ): Promise<T> {
    const { catalogTurns } = this.#connections;
    const { name = null } = options;
    if (!catalogTurns.tryTake(brandId, name)) {
      const instead = await this.#waitForCatalogTurn(brandId, name, options);
      if (instead !== null) return instead;
    }
    try {
      return await this.forBrand(brandId).transaction(
        (tx) => work(Object.assign(tx, { catalogOf: brandId })),
        options,
      );
    } finally {
      catalogTurns.give(brandId, name);
    }
  }

  /** Answers null with the turn taken, or what `whileWaiting` answered, without a turn. */
  async #waitForCatalogTurn<T>(
    brandId: number,
    name: string | null,
    { gone, whileWaiting }: CatalogTransactionOptions<T>,
  ): Promise<T | null> {
    const { catalogTurns } = this.#connections;
    const isInFlight = name !== null && catalogTurns.has(brandId, name);
    const enough = new AbortController();
    const signal = () => (gone === undefined ? enough.signal : AbortSignal.any([gone(), enough.signal]));
    const turn = this.#connections
      .waited('catalog', () =>
        catalogTurns.take(brandId, name, { limitMs: catalogTurnLimitMs, gone: signal }),
      )
      .then(() => null);
    const instead =
      whileWaiting === undefined ? turn : whileWaiting(isInFlight).then((found) => found ?? turn);
    // Either may fail after the other has decided.
    for (const promise of [turn, instead]) promise.catch(() => {});
    const leave = () => {
      enough.abort();
      turn.then(
        () => catalogTurns.give(brandId, name),
        () => {},
      );
    };
    try {
      const found = await Promise.race([turn, instead]);
      if (found !== null) leave();
      return found;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Whether the database answers a trivial question within `timeoutMs`, on the way that most requests take first. Never
   * throws.
   */
  async isReachable(timeoutMs: number): Promise<boolean> {
    const probe = this.run(statement('probe_database', 'select 1')).then(
      () => true,
      () => false,
    );
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    return Promise.race([probe, timeout]).finally(() => clearTimeout(timer));
  }

  /** Why the last write failed and the next one would; null when nothing is known against writes. */
  get writeTrouble(): WriteTrouble | null {
    return this.#connections.writeHealth?.trouble ?? null;
  }

  /** Returns the use of all resources to wait for, and the number of waiting requests. */
  uses(): TurnUse[] {
    return this.#connections.uses();
  }

  /** Calls `listener` with every wait that is over; there is one listener. What was there at once was no wait. */
  onWaited(listener: (kind: TurnKind, seconds: number) => void): void {
    this.#connections.onWaited = listener;
  }

  /** Waits for what is running, for `limitMs` when that is given, then closes every connection. */
  close(limitMs?: number): Promise<void> {
    return this.#connections.close(limitMs);
  }
}

const readAttempts = 3;

/**
 * A read holds no row locks, but it can meet a migration that locks the same tables in another order, and be the one
 * that PostgreSQL ends. It has changed nothing and is asked again.
 */
async function untilNoDeadlock<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await ask();
    } catch (error) {
      if (!isRetryable(error) || attempt === readAttempts) throw error;
    }
}
