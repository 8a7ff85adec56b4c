import type { Socket } from 'node:net';
import type pg from 'pg';
import type { SessionConfig } from './sessions/session.ts';
import { SessionClient } from './sessions/session-client.ts';
import { socketOf } from './socket-of.ts';
import { isAnswerTimeout, isConnectionFailure } from './sqlstate.ts';
import type { Statement } from './statement.ts';

/**
 * One connection on which short reads are pipelined: point reads are more than twice as fast as with a pool of ten. If the
 * connection breaks, the reads in flight are repeated once on a new one. If that fails, or no response arrives in time, the
 * caller receives the error, and the next read connects again.
 */
export class ReadConnection {
  readonly #config: SessionConfig;
  #connecting: Promise<SessionClient> | null = null;
  #connected: SessionClient | null = null;
  #closed = false;

  constructor(config: SessionConfig) {
    this.#config = config;
  }

  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    const connecting = this.#client();
    // Without a wait, so that what a turn asks for leaves in that turn.
    const client = this.#connected ?? (await connecting);
    try {
      return await ask(client, statement);
    } catch (error) {
      if (this.#closed || !isConnectionFailure(error) || isAnswerTimeout(error)) throw error;
      // The failure may arrive before the connection's end event; a second read on it would fail, too.
      if (this.#connecting === connecting) this.#forget();
      return ask(await this.#client(), statement);
    }
  }

  #client(): Promise<SessionClient> {
    if (this.#closed) throw new Error('the database connection is closed');
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  #connect(): Promise<SessionClient> {
    // `pipeline` is missing in the types of pg; the option is documented.
    const client = new SessionClient({ ...this.#config, pipeline: true } as SessionConfig);
    const connecting = client.connect().then(() => {
      if (this.#connecting === connecting) this.#connected = client;
      return client;
    });
    const forget = () => {
      if (this.#connecting === connecting) this.#forget();
    };
    connecting.catch(forget);
    client.on('error', forget);
    client.on('end', forget);
    return connecting;
  }

  #forget(): void {
    this.#connecting = null;
    this.#connected = null;
  }

  /** Ends the connection after the reads in flight; the next read connects again. */
  replace(): void {
    const client = this.#connected;
    this.#forget();
    client?.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#connecting?.catch(() => null);
    await client?.end();
  }
}

async function ask<Row>(client: pg.Client, { name, text, values }: Statement<Row>): Promise<Row[]> {
  holdForThisTurn(socketOf(client));
  const result = await client.query({ name, text, values: values as unknown[] });
  return result.rows as Row[];
}

/** Sends all statements of one turn of the event loop in one write: writing was half of a read's cost in this process. */
function holdForThisTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
