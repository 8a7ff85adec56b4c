import type { Socket } from 'node:net';
import type pg from 'pg';
import { socketOf } from './socket-of.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * The statements of one transaction on a connection in pipeline mode. What is sent without waiting is held in the
 * socket's buffer and leaves with the next statement that is waited for, in one write: of ten statements, most of the
 * time went into the round trips. After a failure PostgreSQL refuses the rest of the transaction, so nothing that was
 * sent ahead can take effect.
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

  send(statement: Statement<unknown>): void {
    this.#hold();
    // The next awaited statement rejects with the failure.
    this.#ask(statement).catch(() => {});
  }

  /** Sends BEGIN with the first statement. */
  begin(): void {
    this.#hold();
    this.#watch(this.#client.query('begin')).catch(() => {});
  }

  /** @throws the first failure of any statement; the transaction is to be rolled back then */
  async commit(): Promise<void> {
    const { command } = await this.#flush(() => this.#watch(this.#client.query('commit')));
    if (this.#failure !== null) throw this.#failure.error;
    // What PostgreSQL answers to the COMMIT of a transaction that has failed.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back');
  }

  /** Never rejects for a reason of the transaction's own. */
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
    // Regardless of what happens in between: nothing in the buffer waits for an event that may wait for it.
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
