import type { Socket } from 'node:net';
import type pg from 'pg';
import { socketOf } from './socket-of.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * Runs the statements of one transaction on a connection in pipeline mode. Queued statements are held in the socket's buffer and
 * leave with the next awaited statement, in one write. After a failure PostgreSQL rejects the rest of the transaction, so no
 * queued statement can take effect.
 */
export class PipelinedTransaction implements Transaction {
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

  #ask({ name, text, values }: Statement<unknown>): Promise<pg.QueryResult> {
    return this.#watch(this.#client.query({ name, text, values: values as unknown[] }));
  }

  async #watch(asked: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      return await asked;
    } catch (error) {
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
