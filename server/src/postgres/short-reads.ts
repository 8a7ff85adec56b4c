import { LRUCache } from 'lru-cache';
import type { Owner } from '../lib/semaphore.ts';
import { isAnswerTimeout, isConnectionFailure } from './database-errors.ts';
import {
  type isLong,
  PipelinedConnection,
  type ReadFailure,
  type ReadOutcome,
  ShortRead,
} from './pipelined-connection.ts';
import type { SessionConfig } from './sessions/session-client.ts';
import type { Statement } from './statement.ts';

/** Milliseconds for which an owner's reads of a slow statement count as long ones. */
const rememberedMs = 60_000;
const rememberedReads = 10_000;
/** Connections that wait for a slow read, besides the one in use. */
const mostHeldUp = 3;

interface ShortReadsOptions {
  readonly config: SessionConfig;
  /** For each read, with the reads ahead of it, in milliseconds. */
  readonly limitMs: number;
  /** True: slow reads are returned as `isLong`; otherwise each is answered here. */
  readonly movesLong: boolean;
}

/**
 * Short reads, pipelined on one connection [D290]. What waits behind a read that takes more than 50 ms is sent again on another
 * connection, and the owner's reads of that statement are long ones for a minute [D295]. If a connection breaks, its reads are
 * repeated once. Each read has its own time limit, so that no read fails because of another one.
 */
export class ShortReads {
  readonly #options: ShortReadsOptions;
  readonly #slow = new LRUCache<string, true>({ max: rememberedReads, ttl: rememberedMs });
  readonly #heldUp = new Set<PipelinedConnection>();
  #current: PipelinedConnection | null = null;
  #isClosed = false;

  constructor(options: ShortReadsOptions) {
    this.#options = options;
  }

  /**
   * Returns the rows of a read, or `isLong`. Sends it without a wait, so that what a turn of the event loop asks for leaves in
   * that turn.
   * @throws the statement's error; that of a lost connection; a timeout of the driver's form
   */
  run<Row>(statement: Statement<Row>, owner: Owner): Promise<Row[] | typeof isLong> {
    return new Promise((resolve, reject) => {
      const outcome = { resolve: resolve as ReadOutcome['resolve'], reject };
      const read = new ShortRead(statement, keyOf(statement, owner), outcome, this.#onFailure);
      read.limit(this.#options.limitMs);
      this.#send(read);
    });
  }

  /** Ends the connection after the reads in flight; the next read connects again. */
  replace(): void {
    void this.#current?.end();
    this.#current = null;
  }

  /** Waits for the reads in flight. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#current, ...this.#heldUp].map((connection) => connection?.end()));
  }

  #send(read: ShortRead): void {
    if (this.#isClosed) {
      read.reject(new Error('the database connection is closed'));
      return;
    }
    const isCrowded = this.#current === null && this.#heldUp.size >= mostHeldUp;
    if (this.#options.movesLong && (isCrowded || this.#isSlow(read))) {
      read.giveBack();
      return;
    }
    this.#current ??= this.#connect();
    read.connection = this.#current;
    this.#current.send(read);
  }

  #isSlow(read: ShortRead): boolean {
    return this.#slow.size > 0 && this.#slow.has(read.key);
  }

  #connect(): PipelinedConnection {
    const connection: PipelinedConnection = new PipelinedConnection(this.#options.config, {
      onHeldUp: (slow, behind) => this.#moveAway(connection, slow, behind),
      onEnded: () => this.#forget(connection),
    });
    return connection;
  }

  #moveAway(connection: PipelinedConnection, slow: ShortRead, behind: readonly ShortRead[]): void {
    if (this.#isClosed) return;
    if (!this.#options.movesLong && this.#heldUp.size >= mostHeldUp) {
      // The database is slow: more connections would not make it faster.
      connection.reuse();
      return;
    }
    if (this.#options.movesLong) this.#slow.set(slow.key, true);
    this.#forget(connection);
    this.#heldUp.add(connection);
    for (const read of behind) if (!read.isDone) this.#send(read);
    slow.onEnd = () => {
      this.#heldUp.delete(connection);
      if (this.#isClosed) return;
      if (this.#current === null && connection.isIdle) {
        connection.reuse();
        this.#current = connection;
      } else connection.destroy();
    };
    // It was answered in this turn.
    if (slow.isDone) slow.onEnd();
  }

  readonly #onFailure = (read: ShortRead, { error, connection, wasSent }: ReadFailure) => {
    // The failure may arrive before the end of the connection does: a second read on it would fail, too.
    if (isConnectionFailure(error)) this.#forget(connection as PipelinedConnection);
    const isLost = isConnectionFailure(error) && !isAnswerTimeout(error);
    if (!isLost || !wasSent || read.isRepeated || this.#isClosed) {
      read.reject(error);
      return;
    }
    read.isRepeated = true;
    this.#send(read);
  };

  #forget(connection: PipelinedConnection): void {
    if (this.#current === connection) this.#current = null;
    this.#heldUp.delete(connection);
  }
}

function keyOf({ name, text }: Statement<unknown>, owner: Owner): string {
  return `${owner} ${name === '' ? text : name}`;
}
