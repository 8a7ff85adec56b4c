import type { Socket } from 'node:net';
import pg, { type ClientConfig } from 'pg';
import { watchForLoss } from './connection-loss.ts';
import { socketOf } from './socket-of.ts';
import { isAnswerTimeout, isConnectionFailure } from './sqlstate.ts';
import type { Statement } from './statement.ts';

/**
 * One connection on which short reads are pipelined: a statement is sent without waiting for the answer of the one
 * before it. Measured on two cores, point reads go through more than twice as fast as over a pool of ten.
 * When the connection breaks, the reads in flight are asked once more on a new one (they are reads, so that is safe).
 * After that, and when there was no answer in time, the failure reaches the caller, and the next read tries to connect
 * again.
 */
export class ReadConnection {
  readonly #config: ClientConfig;
  #connecting: Promise<pg.Client> | null = null;
  #closed = false;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    const connecting = this.#client();
    const client = await connecting;
    try {
      return await ask(client, statement);
    } catch (error) {
      if (this.#closed || !isConnectionFailure(error) || isAnswerTimeout(error)) throw error;
      // The failure may be here before the news that the connection has ended; asking on it again would fail again.
      if (this.#connecting === connecting) this.#connecting = null;
      return ask(await this.#client(), statement);
    }
  }

  #client(): Promise<pg.Client> {
    if (this.#closed) throw new Error('the database connection is closed');
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  #connect(): Promise<pg.Client> {
    // The types of pg do not name `pipeline` yet; the option itself is documented.
    const client = new pg.Client({ ...this.#config, pipeline: true } as ClientConfig);
    watchForLoss(client);
    const connecting = client.connect().then(() => client);
    const forget = () => {
      if (this.#connecting === connecting) this.#connecting = null;
    };
    connecting.catch(forget);
    client.on('error', forget);
    client.on('end', forget);
    return connecting;
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

const held = new WeakSet<Socket>();

/** All that one turn of the event loop asks leaves in one write: writing was half of what a read cost this process. */
function holdForThisTurn(socket: Socket): void {
  if (held.has(socket)) return;
  held.add(socket);
  socket.cork();
  setImmediate(() => {
    held.delete(socket);
    socket.uncork();
  });
}
