import pg from 'pg';
import { watchForLoss } from './connection-loss.ts';
import {
  type DatabaseAddress,
  readConnectionOptions,
  requestConnectionOptions,
  type WaitLimits,
} from './connection-options.ts';
import { ReadConnection } from './read-connection.ts';
import { isConnectionLost } from './sqlstate.ts';
import { type Statement, statement } from './statement.ts';
import { type RetryOptions, runTransaction, type Transaction } from './transaction.ts';

/** What a query module needs: run one statement, get its rows. */
export interface Queryable {
  run<Row>(statement: Statement<Row>): Promise<Row[]>;
}

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Connections for transactions and slow questions; default 10. */
  readonly poolSize?: number;
  /** Of `query` and `transaction`; default: what a request may wait for. */
  readonly limits?: WaitLimits;
  /** Told of errors on idle connections, which the pool replaces by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * The way to one PostgreSQL. Three doors:
 * `run` answers a short read on a shared pipelined connection; `query` takes a pooled connection for a question that
 * may be slow, so that it holds up nobody behind it; `transaction` is the only way to write.
 */
export class Database implements Queryable {
  readonly pool: pg.Pool;
  readonly #reads: ReadConnection;
  readonly #clients = new Set<pg.PoolClient>();

  constructor(options: DatabaseOptions) {
    const { address, applicationName, limits } = options;
    this.pool = new pg.Pool({
      ...requestConnectionOptions(address, applicationName, limits),
      // For transactions, which send statements ahead. The types of pg do not name it yet; the option is documented.
      ...{ pipeline: true },
      max: options.poolSize ?? 10,
      idleTimeoutMillis: 30_000,
    });
    this.pool.on('error', options.onIdleError ?? (() => {}));
    // Before the pool takes its own listener off the new connection.
    this.pool.on('connect', (client) => {
      watchForLoss(client);
      this.#clients.add(client);
    });
    this.pool.on('remove', (client) => this.#clients.delete(client));
    this.#reads = new ReadConnection(readConnectionOptions(address, applicationName));
  }

  /**
   * Runs one short read on the shared connection, without waiting for the answers of those before it. Never for a
   * statement that writes, locks or may take more than a few milliseconds: answers come in order.
   */
  run<Row>(statement: Statement<Row>): Promise<Row[]> {
    return this.#reads.run(statement);
  }

  /** Runs one read of any length on a connection of its own, once more when that one was lost. */
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    try {
      return await this.#query(statement);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return this.#query(statement);
    }
  }

  async #query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const result = await this.pool.query({
      name: statement.name,
      text: statement.text,
      values: statement.values as unknown[],
    });
    return result.rows as Row[];
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits. A deadlock, a serialisation failure or a lost connection rolls back and
   * runs `work` again, so `work` must have no effect outside of the transaction. What `work` throws rolls back.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: RetryOptions): Promise<T> {
    return runTransaction(this.pool, work, options);
  }

  /** Whether the database answers a trivial question within `timeoutMs`, on the way that most requests take first. Never throws. */
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

  /** Waits for what is running, for `limitMs` when that is given, then closes every connection. */
  async close(limitMs?: number): Promise<void> {
    const clients = [...this.#clients] as unknown as pg.Client[];
    const gone = clients.map((client) => new Promise<void>((resolve) => client.once('end', resolve)));
    // A connection with a statement under way is cut off at once; the transaction rolls back.
    const cut = () => clients.map((client) => client.end());
    const timer = limitMs === undefined ? undefined : setTimeout(cut, limitMs);
    await Promise.all([this.#reads.close(), this.pool.end(), ...gone]);
    clearTimeout(timer);
  }
}
